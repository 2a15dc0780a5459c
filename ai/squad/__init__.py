"""Squad behaviour: shared searches and missing comrades."""
