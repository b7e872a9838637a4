"""The compiled rules of Drifting Lands."""
