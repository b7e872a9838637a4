"""The compiled rules of Migrato."""
