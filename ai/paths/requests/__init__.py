"""Requests: admission, urgency, the queue, goals and how a request ends."""
