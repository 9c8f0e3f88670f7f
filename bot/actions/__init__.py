"""Slack actions: one act of the ordinance, one module."""
