#!/usr/bin/env python3
# usage: .github/scripts/controls/run.py [--check | NAME ...]
#
# --check only looks whether each edit still fits the code.
#
# Without names, runs all controls. Each control is one edit and one test. Half of the edits are made in each of two
# builds, and both builds run the tests of all controls: a test must fail in the build with its edit, and pass in the
# other one. The edits of one build must not affect each other's tests; a control that runs alone shows that, because
# its edit is then the only one.
#
# The copy is mounted at the path of the package, so that it continues the package's own build. Without the right to
# mount, the copy is built from the beginning in a temporary folder.
"""Proves that tests can fail: breaks protections in a copy of the package, and requires that the named test turns red."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree
from typing import NamedTuple

PACKAGE = str(pathlib.Path(__file__).resolve().parents[3])
# As check.sh has it: otherwise everything is built again.
os.environ["FLAGMENU_STRICT"] = "1"
BUILD_SECONDS, TEST_SECONDS = 1800, 300


class Control(NamedTuple):
    """An entry of protections.txt."""
    name: str
    build: int
    broken: str
    test: str
    old: str
    new: str

    @property
    def filter(self):
        """The pattern for `swift test --filter` that matches the test alone."""
        suite, name = self.test.split("/")
        module, suites = suite.split(".", 1)
        return f"^{module}\\.{suites.replace('.', '/')}/`?{re.escape(name.split('(')[0])}`?\\("


def read_controls():
    _, *entries = pathlib.Path(__file__).with_name("protections.txt").read_text().strip().split("\n\n")
    for entry in entries:
        head, test, *lines = entry.split("\n")
        name, build, broken = head.split(" ", 2)
        old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
        yield Control(name, int(build), broken, test, old, new)


CONTROLS = list(read_controls())


def read_sources(folder):
    paths = pathlib.Path(folder, "Sources").rglob("*")
    return {path: path.read_text() for path in paths if path.suffix in (".swift", ".c")}


def place(control, files):
    """The file with the text that a control replaces; None unless the text occurs exactly once."""
    found = [path for path, text in files.items() for _ in range(text.count(control.old))]
    return found[0] if len(found) == 1 else None


class Copy:
    """A copy of the package."""

    def __init__(self, folder):
        self.folder = folder
        subprocess.run(["cp", "-a", f"{PACKAGE}/.", folder], check=True)
        self.originals = {}
        self.mount = [
            "unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"]), "sh", "-c",
            'mount --bind "$0" "$1" && cd "$1" && shift && exec "$@"', self.folder, PACKAGE]
        if not shutil.which("unshare") or not self.run(["true"], 60)[1]:
            self.mount = []
            print("The copy cannot be mounted at the path of the package: it is built from the beginning.", flush=True)

    def run(self, command, seconds):
        """Runs a command in the copy; returns its output, and whether it succeeded in time."""
        process = subprocess.Popen(
            self.mount + command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
        try:
            return process.communicate(timeout=seconds)[0], process.returncode == 0
        except subprocess.TimeoutExpired:
            return f"{command[:2]} did not end within {seconds} s", False
        finally:
            if process.poll() is None: os.killpg(process.pid, signal.SIGKILL)

    def edit(self, control):
        """Makes the edit of a control; returns whether the text to replace occurs exactly once."""
        files = read_sources(self.folder)
        path = place(control, files)
        if path is None: return False
        self.originals.setdefault(path, files[path])
        path.write_text(files[path].replace(control.old, control.new))
        return True

    def restore(self):
        for path, text in self.originals.items(): path.write_text(text)
        self.originals = {}

    def results(self, controls):
        """Builds the copy and runs the tests of controls; returns, of each test that ran, whether it passed and its
        seconds. None if the copy does not compile."""
        output, is_built = self.run(["swift", "build", "--build-tests"], BUILD_SECONDS)
        lines = output.splitlines()
        if not is_built:
            print("\n".join([line for line in lines if "error:" in line][:20] + lines[-5:]))
            return None
        report = f"{self.folder}/.build/controls-swift-testing.xml"
        output, _ = self.run(
            ["swift", "test", "--skip-build", "--xunit-output", ".build/controls.xml",
             *[word for control in controls for word in ["--filter", control.filter]]], TEST_SECONDS)
        if not os.path.exists(report):
            print("\n".join(output.splitlines()[-20:]))
            return {}
        cases = list(xml.etree.ElementTree.parse(report).iter("testcase"))
        os.remove(report)
        return {
            f"{case.get('classname')}/{case.get('name')}".replace("`", ""):
                (case.find("failure") is None, float(case.get("time", 0)))
            for case in cases if case.find("skipped") is None
        }


def error(control, builds):
    """Why a control has failed; None if it has passed."""
    own, other = builds[control.build], builds[1 - control.build]
    if own is None or other is None: return "the copy does not compile"
    if control.test not in own or control.test not in other: return f"{control.test} did not run"
    if own[control.test][0]: return f"{control.test} stayed green"
    if not other[control.test][0]: return f"{control.test} is also red without this edit"
    return None


names = sys.argv[1:]
if names == ["--check"]:
    files = read_sources(PACKAGE)
    changed = [control.name for control in CONTROLS if place(control, files) is None]
    sys.exit(f"The code has changed: adapt in protections.txt: {', '.join(changed)}." if changed else 0)
unknown = set(names) - {control.name for control in CONTROLS}
if unknown: sys.exit(f"{', '.join(sorted(unknown))}: not a control. Controls: {', '.join(c.name for c in CONTROLS)}.")
chosen = [control for control in CONTROLS if not names or control.name in names]
errors, builds = {}, []
with tempfile.TemporaryDirectory(prefix="controls-", ignore_cleanup_errors=True) as folder:
    copy = Copy(folder)
    for number in range(2):
        start = time.monotonic()
        for control in chosen:
            if control.build == number and not copy.edit(control):
                errors[control.name] = "the code has changed: adapt the control"
        builds.append(copy.results(chosen))
        copy.restore()
        print(f"build {number + 1} of 2, with its tests: {time.monotonic() - start:.0f} s", flush=True)
for control in chosen:
    reason = errors.get(control.name) or error(control, builds)
    if reason:
        errors[control.name] = reason
        print(f"FAILED {control.name}: {control.broken}: {reason}")
    else:
        seconds = builds[control.build][control.test][1]
        print(f"passed {control.name}: {control.broken}; red: {control.test}, {seconds:.1f} s")
print(f"{len(chosen) - len(errors)} passed, {len(errors)} failed")
sys.exit(1 if errors else 0)
