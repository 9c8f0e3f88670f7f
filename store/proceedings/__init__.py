"""What happens to a case: one step of the ordinance, one module, one transaction."""
