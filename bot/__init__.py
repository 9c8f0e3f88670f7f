"""Docket's edge towards people: Slack, the command line, the timetable."""
