"""One player's tracks as a graph: which cities are connected, and the longest path.

A path may pass a city again but never use a track twice, so the longest path is the longest trail of the graph.
"""

from __future__ import annotations

from typing import Any

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest, popcount
from whistlestop.engine.jit import kernel

FAR = 1 << 30


@kernel
def find(net: Any, city: Any) -> Any:
    """Root of a city's component, with path halving."""
    city = I(city)
    while net.root[city] != city:
        net.root[city] = net.root[net.root[city]]
        city = I(net.root[city])
    return city


@kernel
def add_track(net: Any, tables: Any, n: Any, track: Any) -> Any:
    """Add a track as number n of the network."""
    a, b = I(tables.a[track]), I(tables.b[track])
    net.cross[n] = a ^ b
    net.length[n] = tables.length[track]
    net.incident[a] |= bit(n)
    net.incident[b] |= bit(n)
    root_a, root_b = find(net, a), find(net, b)
    if root_a != root_b:
        net.root[root_b] = root_a
        net.group[root_a] |= net.group[root_b]


@kernel
def build_network(net: Any, tables: Any, low: Any, high: Any) -> Any:
    """The network of a set of tracks, given as two words; returns how many they are."""
    for city in range(tables.cities):
        net.root[city] = city
        net.group[city] = bit(city)
        net.incident[city] = ZERO
    n = I(0)
    while low:
        add_track(net, tables, n, lowest(low))
        low &= low - ONE
        n += 1
    while high:
        add_track(net, tables, n, 64 + lowest(high))
        high &= high - ONE
        n += 1
    return n


@kernel
def connected(net: Any, ends_a: Any, ends_b: Any) -> Any:
    """Whether some city of one end is connected with some city of the other (TICKET-8, TICKET-9)."""
    while ends_a:
        if net.group[find(net, lowest(ends_a))] & ends_b:
            return True
        ends_a &= ends_a - ONE
    return False


@kernel
def measure_components(net: Any, tables: Any) -> Any:
    """Spaces, odd cities and an upper bound of the longest path per component; returns the longest that needs no search.

    A component with at most two odd cities is walked whole. Otherwise every odd city but the two ends of the path leaves
    a track unused, at least its shortest, and one unused track can serve two cities.
    """
    for city in range(tables.cities):
        net.total[city] = 0
        net.odd[city] = ZERO
    for city in range(tables.cities):
        left = net.incident[city]
        if left == ZERO:
            continue
        root = find(net, I(city))
        if popcount(left) & 1:
            net.odd[root] |= bit(city)
        shortest = FAR
        while left:
            length = I(net.length[lowest(left)])
            net.total[root] += length
            shortest = min(shortest, length)
            left &= left - ONE
        net.shortest[city] = shortest
    best = 0
    for root in range(tables.cities):
        net.total[root] //= 2  # each track was counted at both ends
        net.bound[root] = net.total[root] - least_waste(net, net.odd[root], I(2))
        if popcount(net.odd[root]) <= 2:
            best = max(best, net.total[root])
    return best


@kernel
def least_waste(net: Any, unsettled: Any, ends: Any) -> Any:
    """Lower bound of the spaces left unused to settle these cities, of which `ends` may be ends of the path."""
    total, first, second = 0, 0, 0
    while unsettled:
        shortest = net.shortest[lowest(unsettled)]
        total += shortest
        if shortest > first:
            second = first
            first = shortest
        elif shortest > second:
            second = shortest
        unsettled &= unsettled - ONE
    if ends > 0:
        total -= first
    if ends > 1:
        total -= second
    return (total + 1) // 2


@kernel
def heaviest_piece(net: Any, cities: Any, removed: Any) -> Any:
    """Spaces of the heaviest connected piece when some tracks are taken out."""
    best = 0
    while cities:
        piece = cities & (~cities + ONE)
        fringe, weight = piece, 0
        while fringe:
            city = lowest(fringe)
            fringe &= fringe - ONE
            left = net.incident[city] & ~removed
            while left:
                i = lowest(left)
                weight += I(net.length[i])
                there = bit(city ^ I(net.cross[i]))
                fringe |= there & ~piece
                piece |= there
                left &= left - ONE
        best = max(best, weight // 2)
        cities &= ~piece
    return best


@kernel
def open_frame(net: Any, depth: Any, unsettled: Any, ends: Any, removed: Any, kept: Any, weight: Any) -> Any:
    """Push a search frame."""
    net.f_unsettled[depth] = unsettled
    net.f_ends[depth] = ends
    net.f_removed[depth] = removed
    net.f_kept[depth] = kept
    net.f_weight[depth] = weight
    net.f_fresh[depth] = 1


@kernel
def search_component(net: Any, root: Any, best: Any) -> Any:
    """The longest path of a component if it beats best, else best.

    What a path leaves out makes every city even but its two ends. So branch over the tracks to leave out: the lowest
    unsettled city is an end, or one of its tracks goes (tracks tried before at the same city then stay, so that no set
    comes up twice). When all cities are settled, each piece that remains can be walked whole. Few tracks are ever left
    out, so this is far quicker than following paths; the bound of the unsettled cities prunes the rest.
    """
    total, bound, cities = net.total[root], net.bound[root], net.group[root]
    depth = I(0)
    open_frame(net, depth, net.odd[root], ZERO, ZERO, ZERO, I(0))
    while depth >= 0:
        unsettled, ends, removed = net.f_unsettled[depth], net.f_ends[depth], net.f_removed[depth]
        weight = net.f_weight[depth]
        if net.f_fresh[depth]:
            net.f_fresh[depth] = 0
            if unsettled == ZERO:
                best = max(best, heaviest_piece(net, cities, removed))
                if best >= bound:
                    return best
                depth -= 1
                continue
            free_ends = 2 - popcount(ends)
            city = lowest(unsettled)
            net.f_todo[depth] = net.incident[city] & ~removed & ~net.f_kept[depth]
            if free_ends > 0 and ends & bit(city) == ZERO:
                open_frame(net, depth + 1, unsettled ^ bit(city), ends | bit(city), removed, net.f_kept[depth], weight)
                if total - weight - least_waste(net, unsettled, free_ends) > best:
                    depth += 1
                else:
                    depth -= 1
                continue
        todo = net.f_todo[depth]
        if todo == ZERO or total - weight - least_waste(net, unsettled, 2 - popcount(ends)) <= best:
            depth -= 1
            continue
        i = lowest(todo)
        net.f_todo[depth] = todo & (todo - ONE)
        city = lowest(unsettled)
        there = city ^ I(net.cross[i])
        open_frame(
            net, depth + 1, unsettled ^ bit(city) ^ bit(there), ends, removed | bit(i), net.f_kept[depth], weight + I(net.length[i])
        )
        net.f_kept[depth] |= bit(i)
        depth += 1
    return best


@kernel
def longest_path(net: Any, tables: Any) -> Any:
    """Spaces on the longest path of a built network (END-3)."""
    best = measure_components(net, tables)
    for root in range(tables.cities):
        if net.bound[root] > best:
            best = search_component(net, root, best)
    return best
