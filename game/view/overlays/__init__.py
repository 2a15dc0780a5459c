"""Debug overlays: channel, scope, question, legend with units, value under the cursor."""
