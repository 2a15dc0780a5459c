"""What eyes and ears report: the tests of vision and the detection meter."""
