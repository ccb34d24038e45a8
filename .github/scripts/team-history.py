#!/usr/bin/env python3
"""Checks recorded changes of a team against a model: nothing lost, nothing made twice, nothing reordered.

usage: team-history.py RECORD.json

RECORD has "writes" (key, value, start, end and outcome of each command: made, notMade or unknown), "history" (key, old
and new of each change, in the order of etcd's revisions), "values" (etcd's value of each key at the end) and
"watchers" (for each client: a name, and its lines with key, value and time, in order). Every written value is unique.
Knows nothing of how FlagMenu writes. Exits with 1 and prints what is wrong.
"""
import json
import sys


def check(record):
    """Returns the errors, a sentence each."""
    errors, places = [], {}
    last = {}
    for place, change in enumerate(record["history"]):
        key, new = change["key"], change["new"]
        if new is not None:
            if (key, new) in places:
                errors.append(f"{key} = {new} is twice in the history")
            places[key, new] = place
        if key in last and last[key] != change["old"]:
            errors.append(f"{key}: a change replaced {change['old']}, but the value was {last[key]}")
        last[key] = new

    for write in record["writes"]:
        found = (write["key"], write["value"]) in places
        if write["outcome"] == "made" and not found:
            errors.append(f"lost: {write['key']} = {write['value']} was acknowledged")
        if write["outcome"] == "notMade" and found:
            errors.append(f"made: {write['key']} = {write['value']} was reported as not made")
    errors += real_time_errors(record["writes"], places)

    for key, value in last.items():
        if record["values"].get(key) != value:
            errors.append(f"{key}: etcd has {record['values'].get(key)}, the history ends with {value}")
    for watcher in record["watchers"]:
        errors += watcher_errors(watcher, places, record["values"])
    return errors


def real_time_errors(writes, places):
    """A write that began after the end of another one must be later in the history."""
    errors = []
    made = [w for w in writes if w["outcome"] == "made" and (w["key"], w["value"]) in places]
    for key in {w["key"] for w in made}:
        own = sorted((w for w in made if w["key"] == key), key=lambda w: w["start"])
        ended = sorted(own, key=lambda w: w["end"])
        newest, index = -1, 0
        for write in own:
            while index < len(ended) and ended[index]["end"] < write["start"]:
                newest = max(newest, places[key, ended[index]["value"]])
                index += 1
            if places[key, write["value"]] < newest:
                errors.append(f"reordered: {key} = {write['value']} is before a write that had ended")
    return errors


def watcher_errors(watcher, places, values):
    """What a client shows never goes back, and ends with etcd's values."""
    errors, shown, newest = [], {}, {}
    for line in watcher["lines"]:
        key, value = line["key"], line["value"]
        shown[key] = value
        place = places.get((key, value))
        if value is None:
            continue
        if place is None:
            errors.append(f"{watcher['name']}: {key} = {value} was never written")
        elif place < newest.get(key, -1):
            errors.append(f"{watcher['name']}: {key} went back to {value}")
        newest[key] = max(place or 0, newest.get(key, -1))
    for key, value in values.items():
        if shown.get(key) != value:
            errors.append(f"{watcher['name']}: ends with {key} = {shown.get(key)}, etcd has {value}")
    return errors


def main():
    with open(sys.argv[1]) as file:
        record = json.load(file)
    errors = check(record)
    for error in errors[:20]:
        print(error)
    counts = f"{len(record['writes'])} writes, {len(record['history'])} changes, {len(record['watchers'])} clients"
    print(f"{counts}: {'sound' if not errors else f'{len(errors)} errors'}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
