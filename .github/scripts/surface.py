"""Checks what `import Flags` shows an app, by the symbol graphs of modules: at most 60 types, each of which says what it
is, and no signature of theirs with a type of the package that the app cannot name.

usage: surface.py FOLDER, with the graphs of Flags and of the modules whose types it exports
"""

import json
import re
import sys
from pathlib import Path

LIMIT = 60
KINDS = {"swift." + kind for kind in ("struct", "class", "enum", "protocol", "typealias")}

symbols = {}
for path in Path(sys.argv[1]).glob("*.symbols.json"):
    graph = json.loads(path.read_text())
    for symbol in graph["symbols"]:
        symbols[symbol["identifier"]["precise"]] = (graph["module"]["name"], symbol)



def exports(product):
    """The types of other modules that a product exports."""
    text = Path(f"Sources/{product}/Exports.swift").read_text()
    return set(re.findall(r"@_exported public import \w+ (\w+\.\w+)", text))


names = exports("Flags")
# What only those need who write a source, or a layer for a team.
of_sources = exports("FlagSourceHTTP") | exports("FlagTeamEtcd")


def is_shown(module, symbol):
    path = symbol["pathComponents"]
    return module == "Flags" or f"{module}.{path[0]}" in names


shown = {key for key, (module, symbol) in symbols.items() if is_shown(module, symbol)}
types = {key for key in shown if symbols[key][1]["kind"]["identifier"] in KINDS}
errors = []
for key in sorted(shown, key=lambda key: symbols[key][1]["pathComponents"]):
    module, symbol = symbols[key]
    name = ".".join(symbol["pathComponents"])
    if key in types and not symbol.get("docComment"):
        errors.append(f"{name} does not say what it is")
    for fragment in symbol["declarationFragments"]:
        other = fragment.get("preciseIdentifier")
        other_module, other_symbol = symbols.get(other, ("", None))
        if other_symbol and other not in shown and f"{other_module}.{fragment['spelling']}" not in of_sources:
            errors.append(f"{name} has the type {fragment['spelling']} of {other_module}, which apps cannot name")

outer = [key for key in types if len(symbols[key][1]["pathComponents"]) == 1]
count = len(outer) + sum(1 for name in names if name.startswith("Logging."))
print(f"import Flags shows {count} types")
if count > LIMIT:
    errors.append(f"import Flags shows {count} types; at most {LIMIT} can be learnt")
for error in errors:
    print(error, file=sys.stderr)
sys.exit(1 if errors else 0)
