"""The search benchmark: questions, peers, referees and ratios."""
