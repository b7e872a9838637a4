"""Exact endings, and what bots are worth in them."""
