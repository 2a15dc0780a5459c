"""Rules of fire between units: lines that friends block, and steps aside."""
