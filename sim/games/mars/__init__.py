"""Migration: Mars, a race to six population: dice, economy, building, meteorites, events, trading."""
