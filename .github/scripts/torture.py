"""Lets each system call on files fail in turn, with strace, and checks what a command leaves behind. See torture.sh."""
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

ERRORS = ["EIO", "ENOSPC", "EINTR", "EDQUOT", "EROFS", "EMFILE", "EACCES"]
COMMANDS = {
    "set": "set beta true", "reset": "reset alpha", "undo": "undo", "import": "import import.json",
    "export": "export out.json --force", "init": "init --source remote.json --yes --replace"}
STORES = ["good", "damaged", "missing"]
# What these commands write, besides the store.
TARGETS = {"export": "work/out.json", "init": "work/flagmenu.json"}
STORE = "home/.local/state/flagmenu/shop/overrides.json"
DAMAGED = '{"format": 1, "overrides": {"alpha": {"val'
FILES = {
    "work/remote.json": {"alpha": "1", "beta": "false", "gamma": "x"},
    "work/flagmenu.json": {"app": "shop", "source": "remote.json"},
    "work/import.json": {"overrides": {"alpha": "5", "gamma": "y"}}, "work/out.json": {"old": True},
    "home/.config/flagmenu/config.json": {"theme": "dark"}}
CALL = re.compile(r"^(?:\d+ +)?(\w+)\(")
LINKER = re.compile(r"\.so[.\d]*[\">]|/etc/ld\.so")
DISPATCH = ("epoll_create1", "eventfd2", "epoll_ctl")
# A message about a file of the user's.
REFUSED = re.compile(rb"was not (read|written)|cannot be read|could not be read|Nothing was (sent or )?changed")
program, counts, errors = os.path.abspath(sys.argv[1]), collections.Counter(), []


def run(place, command, trace=()):
    environment = {"HOME": f"{place}/home", "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    return subprocess.run(
        [*trace, program, *command.split()], cwd=f"{place}/work", env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=60)


def template(folder, store):
    """A place with the files of commands, and a store."""
    place = folder / store
    for name, content in FILES.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(json.dumps(content))
    for command in ["set alpha 2", "set gamma z", "set alpha 3"] if store != "missing" else []:
        run(place, command).check_returncode()
    if store == "damaged": (place / STORE).write_text(DAMAGED)
    return place


def copy(template, *words): return pathlib.Path(shutil.copytree(template, f"{template}-{'-'.join(map(str, words))}"))


def content(place, name):
    """What the command is about: the values of overrides, or the content of the file that it writes."""
    path = place / TARGETS.get(name, STORE)
    text = path.read_text() if path.exists() else None
    if text is None or text == DAMAGED: return text
    try:
        root = json.loads(text)
    except ValueError:
        return f"broken: {text}"
    # An export contains its time.
    root.pop("exportedAt", None)
    return root if name in TARGETS else {key: entry["value"] for key, entry in root["overrides"].items()}


def leftovers(place): return [str(path) for path in place.rglob("*") if ".tmp" in path.name and path.is_file()]


def is_kept(place):
    """Whether the damaged file is there still, in its place or aside."""
    files = [path for path in (place / "home/.local/state").rglob("*") if path.is_file()]
    return any(path.read_bytes() == DAMAGED.encode() for path in files)


def calls(template, name):
    """Each call by its name and its number among those of that name."""
    place, numbers = copy(template, "trace", name), collections.Counter()
    run(place, COMMANDS[name], ["strace", "-f", "-qq", "-y", "-o", f"{place}/trace", "-e", "trace=%file,%desc"])
    for line in (place / "trace").read_text(errors="replace").splitlines():
        found = CALL.match(line)
        if not found or found.group(1) in ("execve", "mmap", "poll", "epoll_wait"): continue
        numbers[found.group(1)] += 1
        if not LINKER.search(line): yield found.group(1), numbers[found.group(1)]
    shutil.rmtree(place)


def attempt(template, name, call, number, failure, expected, status):
    place = copy(template, name, call, number, failure)
    what = "signal=KILL" if failure == "SIGKILL" else f"error={failure}"
    done = run(place, COMMANDS[name], [
        "strace", "-f", "--seccomp-bpf", "-qq", "-y", "-o", f"{place}/trace", "-e", f"trace={call}",
        "-e", f"inject={call}:{what}:when={number}"])
    lines = (place / "trace").read_text(errors="replace").splitlines()
    injected = next((line for line in lines if "INJECTED" in line), "")
    counts[f"{name} {template.name}"] += 1
    if error := judge(place, template, name, failure, injected, done, expected, status):
        errors.append(f"{name} on a {template.name} store, {failure} at {call} {number}: {error}\n    {injected}\n"
                      f"    exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    shutil.rmtree(place)


def judge(place, template, name, failure, injected, done, expected, status):
    """What was not as promised; None if all was."""
    old, now = content(template, name), content(place, name)
    is_killed = done.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)
    is_killed |= done.returncode == -signal.SIGILL and any(each in injected for each in DISPATCH)
    if now not in (old, expected): return f"neither old nor new content: {now}"
    if template.name == "damaged" and not is_kept(place): return "the damaged file is gone"
    if is_killed: return judge_next(place, name, status)
    left = leftovers(place)
    # The cache is written after the command, which does not wait for it: the next run removes such a file.
    if any("/.cache/" not in path for path in left): return f"left behind: {left}"
    if left and (error := judge_next(place, name, status)): return error
    # An exit code other than 0 means that nothing was written, as in the run without a fault.
    if done.returncode == status: return None if now == expected else "not done, although it says so"
    if done.returncode == 4: return None
    is_store = "/.local/state/" in injected
    if done.returncode in (2, 5) and not is_store and now == old and REFUSED.search(done.stderr): return None
    return "EINTR was not tried again" if failure == "EINTR" else "another exit code than promised"


def judge_next(place, name, status):
    again = run(place, COMMANDS[name])
    # A killed command may have succeeded, so that there is nothing to reset or undo.
    if again.returncode not in (status, 0, 1): return f"the next run ends with {again.returncode}: {again.stderr}"
    return f"the next run leaves behind: {leftovers(place)}" if leftovers(place) else None


def torture(folder, names):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = []
        for origin, name in itertools.product([template(folder, store) for store in STORES], names):
            place = copy(origin, "sound", name)
            status, expected = run(place, COMMANDS[name]).returncode, content(place, name)
            for call, number in calls(origin, name):
                for failure in [*ERRORS, "SIGKILL"]:
                    waiting.append(pool.submit(attempt, origin, name, call, number, failure, expected, status))
        for each in waiting: each.result()


with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
    torture(pathlib.Path(folder), sys.argv[2:] or list(COMMANDS))
for name, count in sorted(counts.items()): print(f"{count:6d}  {name}")
for error in errors: print(error)
print(f"{sum(counts.values())} failures were injected, {len(errors)} ended otherwise than promised")
sys.exit(1 if errors else 0)
