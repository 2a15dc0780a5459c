"""The screens of the window, kept on a stack by the app."""
