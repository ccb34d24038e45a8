#!/usr/bin/env python3
"""Asks firebase-admin what templates say to contexts, for Tests/Services/Firebase/Vectors.

usage: python3 -m venv VENV && VENV/bin/pip install firebase-admin==7.5.0
       VENV/bin/python .github/scripts/firebase-vectors.py >Tests/Services/Firebase/Vectors/evaluations.jsonl

The same package and the same Python give the same bytes: chance is seeded. Nothing is sent anywhere. Regular expressions
are those of the Python that runs this, so run 3.11: the tests list what Swift's do otherwise.

The first line says what made the file. Every other line is one template and the contexts it was evaluated in:

    {"template": {...}, "defaults": {key: text}, "cases": [[context, answer], ...]}

A context is the dictionary that firebase-admin gets. An answer is the name of the error that it ended with, or one entry
for each parameter in the template's order:

    "text"    a remote value             ["text"]  the in-app default
    null      a remote value without text    0     no value at all
"""
import hashlib
import json
import logging
import platform
import random
import re
import sys
import warnings

import firebase_admin
from firebase_admin import credentials, remote_config
from google.auth.credentials import AnonymousCredentials

SEED = 20261121
TEMPLATES = 600
CONTEXTS = 20

logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
chance = random.Random(SEED)

IDS = ["user-%d" % n for n in range(40)] + [
    "", "one", "two", "three", "\U0001f60a", "\U0001f600", "w\u00f8rl\u00d0", "\u00e7\u014dnf\u012f\u0121",
    "e\u0301", "\u00e9", ".", "." * 100, " ", "0", "a.b", "id\nwith\u0000control", 7, 0, 123456789012345, 1.5,
]
SEEDS = ["", "abc", "1", "h\u00eal\u00a3o", "seed-2", "a.b", "rollout", "X" * 32]

TEXTS = [
    "", "foo", "bar", "foobar", "Foo", " foo", "foo  ", "\tfoo\n", "\u00a0foo\u2003", "\u001cfoo\u001f", "b", "fo", "oob",
    "caf\u00e9", "cafe\u0301", "\u00c9", "stra\u00dfe", "STRASSE", "\u0130stanbul", "\u0131", "\u017f", "\u212a", "i", "I", "k", "s",
    "iOS", "iOS 18.2", "android", "de", "en_US", "fr-FR", "a\nb", "a\n", "\n", "line1\nline2\n", "x_y-z", "under_score", "\U0001f600",
    "\u4e2d\u6587", "\u0663", "\u00b2", "\u2167", "a b c", "aaa", "aaaa", "abab", "ab12", "12ab", "foo\u0301", "\u03a3\u03c3\u03c2",
    "\r\n", "a\r\nb", "tab\there", "None", "True", "a@b.example", "10.0.0.1", "2026-11-21", "[x]", "(y)", "{z}", "a{2}", "\\", "$", "^",
]
NUMBERS = [
    "0", "1", "5", "5.0", " 5 ", "05", "+5", "-5", "-0", "-0.0", "4", "6", "5.00000000000000001", "1e3", "1E3", "1e", "e5", ".5", "5.", ".",
    "1_000", "1__0", "_1", "1_", "1_.5", "1._5", "1_0.0_1e1_0", "inf", "-inf", "Infinity", "+iNf", "nan", "NaN", "-nan", "infinit", "0x10",
    "1e999", "-1e999", "1e-999", "9007199254740993", "9007199254740992", "1e16", "123456789012345678901234567890", "\u0665", "\uff15",
    "\u0661\u0660.\u0665", "5\u00a0", "\u20035", "\u001c5", "5\u001f", "\u00855", "5\u0000", "5 5", "", " ", "not a number", "1,5", "--5", "\u00b2",
    "\u2167", "5e+2", "5e-2", "5e+", "0.1", "0.30000000000000004", "1e22", "\U0001d7d3",
]
VERSIONS = [
    "5.12.3", "5.12", "5", "5.12.3.0", "5.12.3.0.0.0.0", "5.12.9", "5.11.9", "5.13", "6", "4.99.99", " 5.12.3 ", "5. 12 .3", "05.012.3",
    "5.12.3-beta", "v5", "5..3", ".5", "5.", "", ".", "-1", "5.-1", "6.-1", "5.-0", "+5.12.3", "5_0.1", "1__0.1", "\u0665.12.3", "18.0", "18",
    "5.12.4.-1", "99999999999999999999.1", "99999999999999999999.2", "1e3", "5,12", "5.12.3\n", "\u001c5.1",
    "5.6.7.8.9", "5.6.7.8.9.0", "inf", "5.0",
]
VALUES = [0, 1, 5, -5, 4, 6, 18, 10**15, 2**53, 2**53 + 1, -(2**62), 0.0, -0.0, 5.0, 5.5, 0.1, 0.30000000000000004, 1e16, 1e15,
          9999999999999998.0, 123456789.125, 1e-4, 1e-5, 1.5e-7, 1e22, 1e300, 5e-324, 5.12, 18.2, 12000000000000000.0, -1.5e20, True, False]

PATTERNS = [
    "", "foo", "^foo", "foo$", "^foo$", "^ba.*$", "  bar   ", "(?i)FOO", "(?i)stra\u00dfe", "(?i)\u0131", "(?i)[i-k]", "(?i)K", "(?i)\u03c3",
    "(?i)[^a-f]", "\\d", "\\D+$", "\\w+", "^\\w+$", "\\W", "\\s", "\\S\\s\\S", "\\bfoo\\b", "\\Bo", "\\bfoo$", "a.b", "(?s)a.b", "a\\nb", "^line2$",
    "(?m)^line2$", "\\Aline1", "line2\\Z", "b$", "^$", "$", "[a-c]+[0-9]+", "[^a-z]", "[]x]", "[^]x]", "[a-]", "[-a]", "[\\w-]+@", "[\\d.]+$",
    "[[x]", "[a&&b]", "(a|b)+", "(?:ab)+$", "(a)(b)\\1\\2", "(?P<x>a)(?P=x)", "a{2}", "^a{2,3}$", "a{,2}b?$", "a{2,}", "^a{0}$", "a{x", "a{", "{2}", "a{}",
    "a*?b", "a+?$", "a??a", "a*+a", "a++b", "(?>a+)a", "(?>a+)b", "(?=foo)f", "(?!foo)^.", "(?<=fo)o", "(?<!f)o", "(?<=a|b)b", "(a)?(?(1)b|c)",
    "(?P<q>f)?oo(?(q)b|x)", "(?i:F)oo", "(?-i:F)oo", "(?i)f(?-i:o)o", "(?x) f o o # text", "(?x)\nfoo\\ ?bar", "(?a)\\w+$", "(?a:\\d)", "(?ai)k", "(?u)\\d",
    "\\x66oo", "\\u0066oo", "\\U0001f600", "\\101", "\\0", "[\\101]", "[\\b]", "\\.", "\\-", "\\@", "\\\u00e9", "foo|bar|", "(|a)+$", "(a*)*b", "(a*)+$", "(?:a?){3}$",
    "(?#comment)foo", "f(?#x)*oo", "\\$", "\\\\", "[\\]x]", "[\\s\\S]", "\\d+\\.\\d+", "(?P<n\u00e9>a)", "^.{4}$", ".", "(?s).", "^(?:[^.]+\\.){3}[^.]+$",
    # Invalid regular expressions.
    "(", ")", "[", "[a", "a)", "*a", "a**", "a{2}{3}", "+", "?", "^*", "(?P<1>a)", "(?P<a>x)(?P<a>y)", "(?P=a)", "\\1", "(\\1)", "(?<=a+)b", "(?<=a|bc)d", "\\q",
    "\\p{L}", "\\x6", "\\u00", "\\U99999999", "[z-a]", "[\\d-a]", "a{3,2}", "(?i", "(?z)", "a(?i)", "(?L)a", "(?au)a", "(?i-i:a)", "(?-a:b)", "(?<a>x)", "(?(1)a|b)",
    "(a)(?(1)a|b|c)", "(?(0)a)", "(?(x)a)", "\\8", "[\\8]", "\\400", "[\\400]", "(?#x", "\\", "a\\", "(?<=(a))\\1b", "(?<=(a)\\1)b", "(?P>a)", "(?", "(?P", "\\N{x}x",
    "a{99999999999}", "(?:a", "(?=a", "(?!", "[[:alpha:]]", "\\z", "\\G", "\\K", "(?a)(?u)b", "(?(1", "[^", "[]", "(?<", "(?-)", "(?i-)", "(?i-:a)",
]
ATOMS = ["a", "b", "o", "f", "A", ".", "\\w", "\\d", "\\s", "\\W", "[ab]", "[^a]", "[a-o]", "\\b", "^", "$", " ", "\n", "1", "\u00e9", "\\B", "[\\w\\s]", "(?:)", "_"]


def pattern(depth=0):
    """A regular expression by chance; sometimes it is none."""
    if depth > 2 or chance.random() < 0.3:
        return chance.choice(ATOMS)
    kind = chance.randrange(9)
    inner = pattern(depth + 1)
    if kind == 0:
        return inner + "|" + pattern(depth + 1)
    if kind == 1:
        return "(" + inner + ")"
    if kind == 2:
        return chance.choice(["(?:", "(?i:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?s:", "(?m:"]) + inner + ")"
    if kind == 3:
        return inner + chance.choice(["*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}", "*?", "+?", "??", "*+", "?+"])
    if kind == 4:
        return "(" + inner + ")" + chance.choice(["\\1", "(?(1)a|b)", "?\\1", "*"])
    return inner + pattern(depth + 1)


def expression():
    """A regular expression from the list or by chance; those that are none, which end the whole evaluation, are rare."""
    while True:
        made = chance.choice(PATTERNS) if chance.random() < 0.6 else pattern()
        try:
            re.compile(made)
            return made
        except Exception:  # pylint: disable=broad-except
            if chance.random() < 0.12:
                return made


def percentile(seed, identity):
    text = ("%s." % seed if seed else "") + str(identity)
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 100_000_000


class Maker:
    """Makes one template and contexts that suit it."""

    def __init__(self, is_odd):
        self.is_odd = is_odd
        self.signals = {}
        self.ids = []

    def odd(self, share=0.06):
        return self.is_odd and chance.random() < share

    def junk(self):
        return chance.choice([None, 0, 1, "", "x", [], {}, [1], {"x": 1}, True, False, 1.5, "5", [None]])

    def drop(self, made):
        """Leaves members out or puts something else in their place."""
        for key in list(made):
            if self.odd(0.04):
                made[key] = self.junk()
            elif self.odd(0.04):
                del made[key]
        return made

    def percent(self):
        seed = chance.choice(SEEDS)
        made = {"percentOperator": chance.choice(["LESS_OR_EQUAL", "GREATER_THAN", "BETWEEN"])}
        if seed or chance.random() < 0.5:
            made["seed"] = seed
        # Half of the bounds are at the value of one of the contexts, or next to it.
        def bound():
            if chance.random() < 0.5:
                return chance.choice([0, 1, 10_000_000, 25_000_000, 50_000_000, 90_000_000, 99_999_999, 100_000_000, 200_000_000])
            identity = chance.choice(IDS) or "user-1"
            self.ids.append(identity)
            return max(0, percentile(seed, identity) + chance.choice([-1, 0, 0, 1]))
        if made["percentOperator"] == "BETWEEN" or self.odd():
            low, high = bound(), bound()
            if chance.random() < 0.8:
                low, high = min(low, high), max(low, high)
            made["microPercentRange"] = self.drop({"microPercentLowerBound": low, "microPercentUpperBound": high})
            if low == 0:
                made["microPercentRange"].pop("microPercentLowerBound", None)
        if made["percentOperator"] != "BETWEEN" or self.odd():
            made["microPercent"] = bound() + (0.5 if self.odd() else 0)
        if self.odd():
            made["percentOperator"] = chance.choice(["UNKNOWN", "PERCENT_OPERATOR_UNSPECIFIED", "less_or_equal", 5])
        if self.odd():
            made["seed"] = chance.choice([5, 0, True, 1.5])
        return {"percent": self.drop(made)}

    def signal(self):
        family = chance.choice(["STRING", "NUMERIC", "SEMANTIC_VERSION", "REGEX"])
        key = {"STRING": "tier", "NUMERIC": "level", "SEMANTIC_VERSION": "app_version", "REGEX": "name"}[family]
        key += chance.choice(["", "", "2", "e\u0301", "\u00e9"])
        if chance.random() < 0.02:
            key = "randomization_id"
        count = chance.choice([1, 1, 2, 3])
        if family == "STRING":
            operator = "STRING_" + chance.choice(["CONTAINS", "DOES_NOT_CONTAIN", "EXACTLY_MATCHES"])
            pool, targets = TEXTS, [chance.choice(TEXTS) for _ in range(count)]
        elif family == "REGEX":
            operator = "STRING_CONTAINS_REGEX"
            pool = TEXTS
            targets = [expression() for _ in range(count)]
        else:
            comparison = chance.choice(["LESS_THAN", "LESS_EQUAL", "EQUAL", "NOT_EQUAL", "GREATER_THAN", "GREATER_EQUAL"])
            operator = "%s_%s" % (family, comparison)
            pool = NUMBERS if family == "NUMERIC" else VERSIONS
            targets = [chance.choice(pool) for _ in range(count)]
        if self.odd():
            targets = [chance.choice([5, 5.0, 5.12, True, None, [], "5", {}, -0.0]) for _ in range(count)]
        if self.odd():
            operator = chance.choice(["UNKNOWN", "STRING_STARTS_WITH", "NUMERIC_", "CUSTOM_SIGNAL_OPERATOR_UNSPECIFIED", 5])
        self.signals.setdefault(key, set()).update([t for t in targets if isinstance(t, str)] if family != "REGEX" else [])
        self.signals[key].update(chance.sample(pool, 6))
        made = {"customSignalOperator": operator, "customSignalKey": key, "targetCustomSignalValues": targets}
        # Python could iterate over a dictionary or a text in place of the list. We do not.
        made = self.drop(made)
        if isinstance(made.get("targetCustomSignalValues"), (dict, str)) and made["targetCustomSignalValues"]:
            made["targetCustomSignalValues"] = 1
        return {"customSignal": made}

    def condition(self, depth=0):
        if self.odd():
            return chance.choice([{}, {"unknown": {}}, {"true": None}, {"orCondition": None, "true": {}}, self.junk(), {"orCondition": self.junk()},
                                  {"andCondition": self.junk()}, {"percent": self.junk()}, {"customSignal": self.junk()}, {"true": False},
                                  {"andCondition": {"conditions": chance.choice([None, 0, [], {}, 1, [None], [{}]])}}])
        roll = chance.random()
        if depth < 6 and roll < (0.35 if depth < 3 else 0.2):
            kind = chance.choice(["orCondition", "andCondition"])
            return {kind: {"conditions": [self.condition(depth + 1) for _ in range(chance.choice([0, 1, 2, 2, 3]))]}}
        if roll < 0.45:
            return {chance.choice(["true", "false"]): {}}
        return self.percent() if roll < 0.65 else self.signal()

    def nested(self):
        """As deep as can be, and deeper."""
        made = chance.choice([{"true": {}}, self.signal()])
        for _ in range(chance.randrange(3, 7)):
            made = {chance.choice(["orCondition", "andCondition"]): {"conditions": [made]}}
        return made

    def value(self, text):
        roll = chance.random()
        if self.odd(0.15):
            return chance.choice([{}, None, {"value": None}, {"useInAppDefault": False}, {"useInAppDefault": "no"}, {"value": 5}, {"value": 5.0}, {"value": True},
                                  {"value": "x", "useInAppDefault": True}, {"rolloutValue": {"rolloutId": "r", "value": "x", "percent": 10}}, "text", 5, [], [1],
                                  {"personalizationValue": {"personalizationId": "p"}}, {"later": 1}, {"value": ""}])
        if roll < 0.1:
            return {"useInAppDefault": True}
        return {"value": text}

    def template(self):
        count = chance.randrange(2, 6)
        names = ["c%d" % n for n in range(count)]
        conditions = []
        for name in names:
            tree = self.nested() if chance.random() < 0.06 else self.condition()
            conditions.append({"name": name, "condition": tree})
        if self.odd():
            conditions.append({"name": chance.choice(names), "condition": self.condition()})
        if self.odd():
            conditions.append(chance.choice([{"name": "bare"}, {"condition": {"true": {}}}, {"name": None, "condition": {"true": {}}}, {"name": "e", "expression": "true"}]))
        # One parameter for each condition shows its result, and a few show which one wins.
        parameters = {"p%d" % n: {"defaultValue": {"value": "0"}, "conditionalValues": {name: {"value": "1"}}} for n, name in enumerate(names)}
        for n in range(chance.randrange(1, 4)):
            chosen = chance.sample(names, chance.randrange(0, count + 1))
            made = {"conditionalValues": {name: self.value("v" + name) for name in chosen}, "valueType": "STRING"}
            if chance.random() < 0.9:
                made["defaultValue"] = self.value("d")
            if self.odd():
                made["conditionalValues"] = chance.choice([None, [], {}, "", 0, 5, ["x"], {"unknown": {"value": "u"}}])
            if not made["conditionalValues"] and chance.random() < 0.5 and made["conditionalValues"] == {}:
                del made["conditionalValues"]
            parameters["q%d" % n] = self.junk() if self.odd(0.03) else made
        made = {"conditions": conditions, "parameters": parameters, "version": {"versionNumber": "1"}}
        if self.odd(0.03):
            made["conditions"] = chance.choice([[], {}, [None], [5]])
        return made

    def context(self):
        made = {}
        if chance.random() < 0.92:
            made["randomization_id"] = chance.choice(self.ids) if self.ids and chance.random() < 0.6 else chance.choice(IDS)
        for key, pool in sorted(self.signals.items()):
            if key == "randomization_id" or chance.random() < 0.08:
                continue
            made[key] = chance.choice(VALUES) if chance.random() < 0.15 else chance.choice(sorted(pool))
        return made


class NoCredential(credentials.Base):
    """What an app needs to exist. Nothing is sent."""

    def get_credential(self):
        return AnonymousCredentials()


def answer(template, context, keys):
    try:
        config = template.evaluate(context)
    except Exception as error:  # pylint: disable=broad-except
        return type(error).__name__
    entries = []
    for key in keys:
        source = config.get_value_source(key)
        # The public readers do not distinguish a missing value from the text "None".
        value = config._get_value(key).value  # pylint: disable=protected-access
        text = None if value is None else config.get_string(key)
        entries.append({"remote": text, "default": [text], "static": 0}[source])
    return entries


def long_versions():
    """Python refuses whole numbers of more than 4300 digits."""
    made = {"conditions": [], "parameters": {}}
    for n, target in enumerate(["1" * 4300, "1" * 4301, "0" * 4301]):
        signal = {"customSignalOperator": "SEMANTIC_VERSION_LESS_EQUAL", "customSignalKey": "v", "targetCustomSignalValues": [target]}
        made["conditions"].append({"name": "c%d" % n, "condition": {"customSignal": signal}})
        made["parameters"]["p%d" % n] = {"defaultValue": {"value": "0"}, "conditionalValues": {"c%d" % n: {"value": "1"}}}
    return made, [{"v": value} for value in ["1", "1" * 4299, "1" * 4300, "2" * 4300, "1" * 4301, "0" * 4300, "0." + "1" * 4301]]


def main():
    app = firebase_admin.initialize_app(NoCredential(), {"projectId": "vectors"})
    write = lambda value: print(json.dumps(value, ensure_ascii=True, separators=(",", ":")))
    write({"firebase-admin": firebase_admin.__version__, "python": platform.python_version(), "seed": SEED})
    pairs = errors = 0
    for number in range(TEMPLATES + 1):
        maker = Maker(is_odd=number % 5 == 4)
        data, contexts = (maker.template(), None) if number else long_versions()
        defaults = {key: "in-app " + key for key in data["parameters"] if key[0] == "q" and chance.random() < 0.7}
        template = remote_config.init_server_template(app, defaults, json.dumps(data))
        cases = []
        for context in contexts or [maker.context() for _ in range(CONTEXTS)]:
            cases.append([context, answer(template, context, data["parameters"])])
            errors += isinstance(cases[-1][1], str)
        pairs += len(cases)
        write({"template": data, "defaults": defaults, "cases": cases})
    print("%d pairs, %d of them errors" % (pairs, errors), file=sys.stderr)


main()
