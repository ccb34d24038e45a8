#!/usr/bin/env python3
"""Lets each system call on files fail in turn, with strace, and checks what a command leaves behind.

usage: .github/scripts/torture.py FLAGMENU [COMMAND ...]

set, reset, undo, import, export and init run on a good, a damaged and a missing store. Every call on a file or a descriptor fails
once with each of EIO, ENOSPC, EINTR, EDQUOT, EROFS, EMFILE and EACCES, and the process is killed once at each. Promised is:

- The file that the command writes has its old or its new content, and nothing else. With exit code 0 it has the new one.
- The exit code is the one of the run without a failure, or 4; also 2 or 5 if a file could not be read or written that is not the
  store's, such as the project file or an imported one, and then the message names it and nothing was written. A failure that is none of
  the command's business, or that is tried again as EINTR is, changes nothing.
- A damaged file is kept aside before anything replaces it.
- No temporary file stays: not after a failure, and after a kill not beyond the next run; nor does one of the cache, which is written
  behind the command.

Calls of the dynamic linker are left out. If libdispatch cannot have its event queue it ends the process, which counts as a kill.
"""
import collections
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ERRORS = ["EIO", "ENOSPC", "EINTR", "EDQUOT", "EROFS", "EMFILE", "EACCES"]
COMMANDS = {
    "set": "set beta true", "reset": "reset alpha", "undo": "undo", "import": "import import.json",
    "export": "export out.json --force", "init": "init --source remote.json --yes --replace",
}
STORES = ["good", "damaged", "missing"]
# What these commands write, besides the store.
TARGETS = {"export": "work/out.json", "init": "work/flagmenu.json"}
STORE = "home/.local/state/flagmenu/shop/overrides.json"
DAMAGED = b'{"format": 1, "overrides": {"alpha": {"val'
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
LINKER = re.compile(r"\.so[.\d]*[\">]|/etc/ld\.so")
DISPATCH = ("epoll_create1", "eventfd2", "epoll_ctl")
# A message about a file of the user's.
REFUSED = re.compile(rb"was not (read|written)|cannot be read|could not be read|Nothing was changed")


class Torture:
    def __init__(self, program):
        self.program = os.path.abspath(program)
        self.folder = tempfile.mkdtemp(prefix="torture-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.problems = []
        self.counts = collections.Counter()

    def environment(self, place):
        return {
            "HOME": f"{place}/home", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm",
        }

    def run(self, place, command, trace=()):
        arguments = [*trace, self.program, *command.split()]
        return subprocess.run(
            arguments, cwd=f"{place}/work", env=self.environment(place), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)

    def template(self, store):
        place = f"{self.folder}/{store}"
        os.makedirs(f"{place}/work")
        os.makedirs(f"{place}/home/.config/flagmenu")
        files = {
            "work/remote.json": {"alpha": "1", "beta": "false", "gamma": "x"},
            "work/flagmenu.json": {"app": "shop", "source": "remote.json"},
            "work/import.json": {"overrides": {"alpha": "5", "gamma": "y"}},
            "work/out.json": {"old": True},
            "home/.config/flagmenu/config.json": {"theme": "dark"},
        }
        for name, content in files.items():
            with open(f"{place}/{name}", "w") as file:
                json.dump(content, file)
        if store != "missing":
            for command in ["set alpha 2", "set gamma z", "set alpha 3"]:
                done = self.run(place, command)
                assert done.returncode == 0, (command, done.stderr)
        if store == "damaged":
            with open(f"{place}/{STORE}", "wb") as file:
                file.write(DAMAGED)
        return place

    def copy(self, template, name):
        place = f"{self.folder}/{name}"
        shutil.copytree(template, place, symlinks=True)
        return place

    def content(self, place, name):
        """What the command is about: the values of overrides, or the bytes of the file that it writes."""
        path = f"{place}/{TARGETS.get(name, STORE)}"
        if not os.path.exists(path):
            return None
        with open(path, "rb") as file:
            data = file.read()
        if data == DAMAGED:
            return "damaged"
        try:
            root = json.loads(data)
        except ValueError:
            return ("broken", data)
        if name in TARGETS:
            # An export contains its time.
            root.pop("exportedAt", None)
            return json.dumps(root, sort_keys=True)
        return json.dumps({key: entry["value"] for key, entry in root["overrides"].items()}, sort_keys=True)

    def leftovers(self, place):
        found = []
        for folder, _, names in os.walk(place):
            found += [os.path.join(folder, name) for name in names if ".tmp" in name]
        return found

    def kept(self, place):
        """Whether the damaged file is there still, in its place or aside."""
        for folder, _, names in os.walk(f"{place}/home/.local/state"):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    if file.read() == DAMAGED:
                        return True
        return False

    def calls(self, template, name, command):
        """Each call by its name and its number among those of that name."""
        place = self.copy(template, f"trace-{name}-{os.path.basename(template)}")
        log = f"{place}/trace"
        self.run(place, command, ["strace", "-f", "-qq", "-y", "-o", log, "-e", "trace=%file,%desc"])
        numbers = collections.Counter()
        with open(log) as file:
            for line in file:
                found = CALL.match(line)
                if not found or found.group(1) in ("execve", "mmap", "poll", "epoll_wait"):
                    continue
                numbers[found.group(1)] += 1
                if not LINKER.search(line):
                    yield found.group(1), numbers[found.group(1)]
        shutil.rmtree(place)

    def attempt(self, template, name, command, call, number, failure, expected, status):
        store = os.path.basename(template)
        label = f"{name} on a {store} store, {failure} at {call} {number}"
        place = self.copy(template, f"{name}-{store}-{call}-{number}-{failure}")
        log = f"{place}/trace"
        what = "signal=KILL" if failure == "SIGKILL" else f"error={failure}"
        done = self.run(place, command, [
            "strace", "-f", "--seccomp-bpf", "-qq", "-y", "-o", log, "-e", f"trace={call}", "-e", f"inject={call}:{what}:when={number}",
        ])
        with open(log) as file:
            injected = next((line.strip() for line in file if "INJECTED" in line), "")
        problem = self.judge(place, template, name, command, failure, injected, done, expected, status)
        self.counts[f"{name} {store}"] += 1
        if problem:
            words = done.stderr.decode(errors="replace").strip()
            self.problems.append(f"{label}: {problem}\n    {injected}\n    exit {done.returncode}: {words}")
        shutil.rmtree(place)

    def judge(self, place, template, name, command, failure, injected, done, expected, status):
        old, new = self.content(template, name), expected
        now = self.content(place, name)
        killed = done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
        killed = killed or done.returncode == -signal.SIGILL and any(each in injected for each in DISPATCH)
        if now not in (old, new):
            return f"neither old nor new content: {now}"
        if os.path.basename(template) == "damaged" and not self.kept(place):
            return "the damaged file is gone"
        if killed:
            return self.judge_next(place, command, status)
        left = self.leftovers(place)
        # The cache is written after the command, which does not wait for it: the next run removes such a file.
        if any("/.cache/" not in path for path in left):
            return f"left behind: {left}"
        if left and (problem := self.judge_next(place, command, status)):
            return problem
        if done.returncode == status:
            # An exit code other than 0 means that nothing was written, as in the run without a fault.
            return None if now == new else "not done, although it says so"
        if done.returncode == 4:
            return None
        is_store = "/.local/state/" in injected
        if done.returncode in (2, 5) and not is_store and now == old and REFUSED.search(done.stderr):
            return None
        if failure == "EINTR":
            return "EINTR was not tried again"
        return "another exit code than promised"

    def judge_next(self, place, command, status):
        again = self.run(place, command)
        # A killed command may have succeeded, so that there is nothing to reset or undo.
        if again.returncode not in (status, 0, 1):
            return f"the next run ends with {again.returncode}: {again.stderr.decode(errors='replace')}"
        if self.leftovers(place):
            return f"the next run leaves behind: {self.leftovers(place)}"
        return None

    def torture(self, names):
        templates = [self.template(store) for store in STORES]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            waiting = []
            for template in templates:
                for name in names:
                    command = COMMANDS[name]
                    place = self.copy(template, f"sound-{name}-{os.path.basename(template)}")
                    sound = self.run(place, command)
                    expected = self.content(place, name)
                    for call, number in self.calls(template, name, command):
                        for failure in [*ERRORS, "SIGKILL"]:
                            waiting.append(pool.submit(
                                self.attempt, template, name, command, call, number, failure, expected,
                                sound.returncode))
            for each in waiting:
                each.result()
        for name, count in sorted(self.counts.items()):
            print(f"{count:6d}  {name}")
        for problem in self.problems:
            print(problem)
        print(f"{sum(self.counts.values())} failures were injected, {len(self.problems)} ended otherwise than promised")
        shutil.rmtree(self.folder)
        return 1 if self.problems else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(Torture(sys.argv[1]).torture(sys.argv[2:] or list(COMMANDS)))
