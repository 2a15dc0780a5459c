"""Play screen by subject: its parts, its picture, its worlds, its menus."""
