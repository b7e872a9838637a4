"""Long checks of `make soak` and `make soak-long` that are programs of their own."""
