"""The arena: matches between bots on all cores, the store of their games, ratings, and reports."""
