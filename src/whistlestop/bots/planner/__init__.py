"""The planner: a compiled policy on what a player may know of a state.

parameters   what can be tuned, and the tuned values (parameters.json)
mind         what is kept in mind during a game, and scratch space
planning     prices, ways, a network for all tickets together
claiming     payments, claims, tracks for their own sake, stations, the last turn
drawing      cards, tickets, tunnels
passengers   which one to take along
policy       what to do in each phase
games        what Python calls: one decision, and whole games in a compiled loop
planner_bot  the bot
"""
