"""State machines, messages and the trace of every decision."""
