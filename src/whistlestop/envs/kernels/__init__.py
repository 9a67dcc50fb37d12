"""Compiled code of the environments, in a folder of its own: a change elsewhere compiles nothing anew.

byte_rows         rows of bytes, many at a time
tensors           observations of a state
choosing          masks, and what a choice means
episodes          what is kept of one game beside its state
connected_cities  which cities a player's tracks connect, kept from step to step
stepping          many games at once
planner_seats     opponents that plan
"""
