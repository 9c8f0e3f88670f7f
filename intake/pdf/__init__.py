"""PDFs judged in a limited child process: evidence for a person's decision, never the decision."""
