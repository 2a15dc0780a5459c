"""Hierarchical search (HPA*): clusters, abstract graphs and refinement."""
