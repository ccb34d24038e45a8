# Checks recorded changes of a team against a model: nothing lost, nothing made twice, nothing reordered.
#
# Knows nothing of how FlagMenu writes. Every written value is unique.
from itertools import permutations


def errors(writes, history, values, watchers):
    """A sentence for each error.

    writes has key, value, start, end and outcome of each command (made, notMade or unknown); history has key, old and
    new of each change, in the order of etcd's revisions; values has etcd's value of each key at the end; watchers has
    the lines of each client by its name, with key and value, in order."""
    found, places, last = [], {}, {}
    for place, change in enumerate(history):
        key, new = change["key"], change["new"]
        if new is not None and (key, new) in places: found.append(f"{key} = {new} is twice in the history")
        places[key, new] = place
        if key in last and last[key] != change["old"]:
            found.append(f"{key}: a change replaced {change['old']}, but the value was {last[key]}")
        last[key] = new
    for write in writes:
        is_there = (write["key"], write["value"]) in places
        if write["outcome"] == ("notMade" if is_there else "made"):
            found.append(f"{write['key']} = {write['value']} was reported as {write['outcome']}, and is not so")
    found += real_time_errors(writes, places)
    if {key: value for key, value in last.items() if value is not None} != values:
        found.append(f"etcd has {values}, the history ends with {last}")
    for name, lines in watchers.items():
        found += [f"{name}: {error}" for error in watcher_errors(lines, places, values)]
    return found


def real_time_errors(writes, places):
    """A write that began after the end of another one must be later in the history."""
    made = [write for write in writes if write["outcome"] == "made" and (write["key"], write["value"]) in places]
    return [
        f"reordered: {late['key']} = {late['value']} is before a write that had ended"
        for late, early in permutations(made, 2)
        if late["key"] == early["key"] and early["end"] < late["start"]
        and places[late["key"], late["value"]] < places[early["key"], early["value"]]]


def watcher_errors(lines, places, values):
    """What a client shows never goes back, and ends with etcd's values."""
    found, shown, newest = [], {}, {}
    for key, value in lines:
        shown[key] = value
        if value is None: continue
        place = places.get((key, value))
        if place is None: found.append(f"{key} = {value} was never written")
        elif place < newest.get(key, -1): found.append(f"{key} went back to {value}")
        newest[key] = max(place or 0, newest.get(key, -1))
    return found + [f"ends with {key} = {shown.get(key)}" for key in values if shown.get(key) != values[key]]
