"""Docket's record: facts, journal, vault, outbox, and the ordinance's rules as pure code."""
