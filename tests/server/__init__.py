"""The server, from its API down to its database."""
