"""The game: level < world < minds < sim < view < cli; each floor imports only those below it."""
