"""Settings of a world as records: one module for each subject, and their tree."""
