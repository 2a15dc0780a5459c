"""Grid searches as resumable kernels."""
