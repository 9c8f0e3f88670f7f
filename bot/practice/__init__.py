"""The practice workspace: a Slack and a mail server on loopback, for training, tests and the demo."""
