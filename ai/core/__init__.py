"""The base of the library: kernel registry, serialization, random numbers, threads and scheduling."""
