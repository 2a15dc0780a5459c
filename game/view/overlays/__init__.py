"""Debug overlays under one grammar: channel, scope, a question, a legend with units, the value under the cursor."""
