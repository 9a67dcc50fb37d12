"""The expert: a search over redealt worlds, with the planner as candidate generator and playout policy.

beliefs      which tickets the others may hold
candidates   what is weighed: actions, each with a temper to go on in
playouts     candidates played to the end in the same worlds
search       who wins most, within a limit
expert_bot   the bot
"""
