"""Requests: admission, urgency, the queue, goals, and the end of a request."""
