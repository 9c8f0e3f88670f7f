"""What the ordinance and the law say, as pure functions: values in, values out."""
