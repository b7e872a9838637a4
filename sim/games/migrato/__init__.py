"""Migrato: birds fly in columns and arrive; two published rule sets of one card game."""
