"""One player's tracks as a graph: which cities are connected, and the longest path.

A path may pass a city again but never use a track twice, so the longest path is the longest trail of the graph.
"""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest, popcount
from whistlestop.engine.jit import kernel
from whistlestop.engine.types import Bits, Bool, Int, Network, Tables

FAR = 1 << 30
FEW_CIRCLES = 3
"""Up to here trying every path is the quicker way, from here on leaving tracks out (bench/longest_path.py)."""


@kernel
def find(net: Network, city: Int) -> Int:
    """Root of a touched city's component, with path halving."""
    while net.root[city] != city:
        net.root[city] = net.root[net.root[city]]
        city = I(net.root[city])
    return city


@kernel
def group_of(net: Network, city: Int) -> Bits:
    """The cities connected with a city, itself included."""
    return net.group[find(net, city)] if net.touched & bit(city) else bit(city)


@kernel
def touch(net: Network, city: Int, length: Int, n: Int) -> None:
    """Note that track n of the network, so long, ends in a city."""
    if net.touched & bit(city):
        net.incident[city] |= bit(n)
        net.shortest[city] = min(net.shortest[city], length)
        return
    net.touched |= bit(city)
    net.root[city] = city
    net.group[city] = bit(city)
    net.total[city] = 0
    net.tracks[city] = 0
    net.incident[city] = bit(n)
    net.shortest[city] = length


@kernel
def add_track(net: Network, tables: Tables, n: Int, track: Int) -> None:
    """Add a track as number n of the network."""
    a, b, length = I(tables.a[track]), I(tables.b[track]), I(tables.length[track])
    net.cross[n] = a ^ b
    net.length[n] = length
    touch(net, a, length, n)
    touch(net, b, length, n)
    net.odd ^= bit(a) ^ bit(b)
    root, other = find(net, a), find(net, b)
    if root != other:
        net.root[other] = root
        net.group[root] |= net.group[other]
        net.total[root] += net.total[other]
        net.tracks[root] += net.tracks[other]
    net.total[root] += length
    net.tracks[root] += 1


@kernel
def build_network(net: Network, tables: Tables, low: Bits, high: Bits) -> Int:
    """The network of a set of tracks, given as two words; returns how many they are."""
    net.touched = ZERO
    net.odd = ZERO
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
def connected(net: Network, ends_a: Bits, ends_b: Bits) -> Bool:
    """Whether some city of one end is connected with some city of the other (TICKET-8, TICKET-9)."""
    while ends_a:
        if group_of(net, lowest(ends_a)) & ends_b:
            return True
        ends_a &= ends_a - ONE
    return False


@kernel
def measure_components(net: Network) -> Int:
    """An upper bound of the longest path of each component; returns the longest that needs no search.

    A component with at most two odd cities is walked whole. Otherwise every odd city but the path's two ends leaves
    a track unused, at least its shortest, and one unused track can serve two cities.
    """
    best = I(0)
    left = net.touched
    net.roots = ZERO
    while left:
        root = find(net, lowest(left))
        left &= ~net.group[root]
        net.roots |= bit(root)
        odd = net.odd & net.group[root]
        net.bound[root] = net.total[root] - least_waste(net, odd, I(2))
        if popcount(odd) <= 2:
            best = max(best, net.total[root])
    return best


@kernel
def least_waste(net: Network, unsettled: Bits, ends: Int) -> Int:
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
def walk_from(net: Network, start: Int, bound: Int, best: Int) -> Int:
    """The longest path that begins in a city if it beats best, else best, by trying every path; stops at the bound."""
    depth, length, city = I(0), I(0), start
    used = ZERO
    net.f_todo[0] = net.incident[city]
    while depth >= 0:
        left = net.f_todo[depth]

        # Go on along the next unused track of the city.
        if left:
            i = lowest(left)
            net.f_todo[depth] = left & (left - ONE)
            depth += 1
            net.f_weight[depth] = i
            used |= bit(i)
            length += I(net.length[i])
            city ^= I(net.cross[i])
            net.f_todo[depth] = net.incident[city] & ~used
            if length > best:
                best = length
                net.far = city
                if best >= bound:
                    return best

        # All tried: one track back.
        else:
            i = net.f_weight[depth]
            depth -= 1
            if depth >= 0:
                used ^= bit(i)
                length -= I(net.length[i])
                city ^= I(net.cross[i])
    return best


@kernel
def walk_component(net: Network, root: Int, best: Int) -> Int:
    """The longest path of a component if it beats best, else best: it begins in an odd city.

    Without a circle, the city farthest from any one is an end of a longest path.
    """
    if net.tracks[root] < popcount(net.group[root]):
        walk_from(net, root, I(FAR), I(0))
        return max(best, walk_from(net, net.far, I(FAR), I(0)))
    starts = net.odd & net.group[root]
    while starts:
        if best >= net.bound[root]:
            return best
        best = walk_from(net, lowest(starts), net.bound[root], best)
        starts &= starts - ONE
    return best


@kernel
def heaviest_piece(net: Network, cities: Bits, removed: Bits) -> Int:
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
def way_out(net: Network, city: Int, unsettled: Bits, fixed: Bits) -> Int:
    """Fewest spaces that settling a city leaves unused: one track to another unsettled city, or two tracks at least."""
    left = net.incident[city] & ~fixed
    best = I(FAR)
    while left:
        i = lowest(left)
        left &= left - ONE
        there = city ^ I(net.cross[i])
        best = min(best, I(net.length[i]) + (I(0) if unsettled & bit(there) else net.shortest[there]))
    return best


@kernel
def waste_ahead(net: Network, unsettled: Bits, fixed: Bits, free_ends: Int) -> Int:
    """Lower bound of the spaces still to be left unused.

    Fixed tracks are gone or stay, free_ends cities may be ends of the path.
    """
    total, first, second = I(0), I(0), I(0)
    left = unsettled
    while left:
        n = way_out(net, lowest(left), unsettled, fixed)
        left &= left - ONE
        total += n
        if n > first:
            second = first
            first = n
        elif n > second:
            second = n
    if free_ends > 0:
        total -= first
    if free_ends > 1:
        total -= second
    return (total + 1) // 2  # what is left unused leads from one unsettled city to another: each counted it


@kernel
def open_frame(net: Network, depth: Int, unsettled: Bits, ends: Bits, removed: Bits, kept: Bits, weight: Int) -> None:
    """Push a search frame."""
    net.f_unsettled[depth] = unsettled
    net.f_ends[depth] = ends
    net.f_removed[depth] = removed
    net.f_kept[depth] = kept
    net.f_weight[depth] = weight
    net.f_fresh[depth] = 1


@kernel
def search_component(net: Network, root: Int, best: Int) -> Int:
    """The longest path of a component if it beats best, else best.

    What a path leaves out makes every city even but its two ends. So branch over the tracks to leave out: the lowest
    unsettled city is an end, or one of its tracks goes (tracks tried before at the same city then stay, so that no set
    comes up twice). When all cities are settled, each piece that remains can be walked whole. Few tracks are ever left
    out, so this is far quicker than following paths; the bound of the unsettled cities prunes the rest.
    """
    # The first frame: nothing is left out, every odd city is unsettled.
    total, bound, cities = net.total[root], net.bound[root], net.group[root]
    depth = I(0)
    open_frame(net, depth, net.odd & cities, ZERO, ZERO, ZERO, I(0))

    while depth >= 0:
        unsettled, ends, removed = net.f_unsettled[depth], net.f_ends[depth], net.f_removed[depth]
        weight = net.f_weight[depth]

        if net.f_fresh[depth]:
            net.f_fresh[depth] = 0

            # All cities are settled: what is left can be walked, piece by piece. No path beats the bound.
            if unsettled == ZERO:
                best = max(best, heaviest_piece(net, cities, removed))
                if best >= bound:
                    return best
                depth -= 1
                continue

            # Look at the lowest unsettled city: first let it be an end of the path, if an end is free and the bound
            # leaves hope. Without hope for this there is none for the frame: leaving a track out costs more.
            free_ends = 2 - popcount(ends)
            city = lowest(unsettled)
            net.f_todo[depth] = net.incident[city] & ~removed & ~net.f_kept[depth]
            if free_ends > 0 and ends & bit(city) == ZERO:
                open_frame(net, depth + 1, unsettled ^ bit(city), ends | bit(city), removed, net.f_kept[depth], weight)
                if total - weight - waste_ahead(net, unsettled, removed | net.f_kept[depth], free_ends) > best:
                    depth += 1
                else:
                    depth -= 1
                continue

        # No track left to try at this city, or nothing to gain: back to the frame before.
        todo = net.f_todo[depth]
        if (
            todo == ZERO
            or total - weight - waste_ahead(net, unsettled, removed | net.f_kept[depth], 2 - popcount(ends)) <= best
        ):
            depth -= 1
            continue

        # Leave the next track out: both its cities change between settled and unsettled. Afterwards it stays in, so
        # that no set of tracks comes up twice.
        i = lowest(todo)
        net.f_todo[depth] = todo & (todo - ONE)
        city = lowest(unsettled)
        there = city ^ I(net.cross[i])
        open_frame(
            net,
            depth + 1,
            unsettled ^ bit(city) ^ bit(there),
            ends,
            removed | bit(i),
            net.f_kept[depth],
            weight + I(net.length[i]),
        )
        net.f_kept[depth] |= bit(i)
        depth += 1
    return best


@kernel
def deepen(net: Network, root: Int, best: Int) -> Int:
    """The longest path of a component if it beats best, else best: the bound is lowered until a path reaches it."""
    net.bound[root] = net.total[root] - waste_ahead(net, net.odd & net.group[root], ZERO, I(2))
    while net.bound[root] > best:
        if search_component(net, root, net.bound[root] - 1) >= net.bound[root]:
            return net.bound[root]
        net.bound[root] -= 1
    return best


@kernel
def longest_path(net: Network) -> Int:
    """Spaces on the longest path of a built network (END-3).

    A component with few circles has few paths: they are all tried. One with many is searched for what to leave out.
    """
    best = measure_components(net)
    left = net.roots
    while left:
        root = lowest(left)
        left &= left - ONE
        if net.bound[root] > best:
            circles = net.tracks[root] - popcount(net.group[root]) + 1
            best = walk_component(net, root, best) if circles <= FEW_CIRCLES else deepen(net, root, best)
    return best
