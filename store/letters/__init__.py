"""Letters: one module and one template each, turned into tagged PDF and plain text. Pure."""
