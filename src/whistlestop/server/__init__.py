"""Tables on a server: people and bots play by link. It orders, stores and shows; the rules are the engine's."""
