"""The soldier: obeys orders, attacks and works with its hands."""
