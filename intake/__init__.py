"""Docket's mailroom: IMAP in, SMTP out, MIME and PDF read with care."""
