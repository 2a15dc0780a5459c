"""Tests of blackboards."""
