"""What every game stands on: the contract, dispatch and compile cache, random streams, hex grids."""
