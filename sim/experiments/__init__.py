"""Ready experiments, shipped with the package: ``whimbrel run quickstart`` works anywhere."""
