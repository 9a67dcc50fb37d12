"""Names for what kernels take and give.

Numba infers the types of compiled code, and a record's fields have no static type that mypy could check. So these names
are documentation: a signature tells what each argument is, and mypy accepts what kernels do with it.
"""

from __future__ import annotations

from typing import Any, TypeAlias

State: TypeAlias = Any
"""One STATE record, with its fields as attributes."""
States: TypeAlias = Any
"""An array of STATE records."""
Tables: TypeAlias = Any
"""One TABLES record: an edition's numbers."""
TablesArray: TypeAlias = Any
"""An array of one TABLES record, the form in which doors are handed it."""
Network: TypeAlias = Any
"""One NETWORK record: scratch space for a player's tracks as a graph."""
Networks: TypeAlias = Any
"""An array of one NETWORK record."""
Log: TypeAlias = Any
"""The chance log, an array of int64: see LOG_COUNT and its neighbours in layout."""
Sheet: TypeAlias = Any
"""The score sheet, an array of int64: a row a player, columns ROUTES … WON."""
Sheets: TypeAlias = Any
"""An array of score sheets."""
Words: TypeAlias = Any
"""An array of 64-bit words that is read or filled as one set of bits: tracks or tickets."""
Bits: TypeAlias = Any
"""A 64-bit word as a set: cities, tracks of one word, actions, players."""
Rng: TypeAlias = Any
"""The state of a chance stream, 64 bits."""
Int: TypeAlias = Any
"""An int64: a player, track, city, ticket, kind of card, number or action."""
Bool: TypeAlias = Any
"""A truth value."""
Real: TypeAlias = Any
"""A float64."""
Ints: TypeAlias = Any
"""An array of int64."""
Reals: TypeAlias = Any
"""An array of float64."""
Mask: TypeAlias = Any
"""An array of truth values, one an action."""
Compiler: TypeAlias = Any
"""What Numba hands to code that writes machine instructions."""
