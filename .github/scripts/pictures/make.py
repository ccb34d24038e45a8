"""Plays the scenes, and makes their texts and pictures, or compares their texts. See pictures.sh."""
import argparse
import getpass
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from common import wait_until
from pictures.terminals import Tmux, Xterm, run

THERE = pathlib.Path(__file__).resolve().parents[3] / "screenshots"
SHOP = pathlib.Path(__file__).resolve().parent / "shop"
STATES = (
    "express_checkout=true passkeys_enabled=true store_finder_view=globe payment_timeout=soon "
    "search_suggestions=personal")
DAY = 86_400


def seal(text):
    """The comment of a picture that identifies its text."""
    return "text " + run("cksum", input=text.encode()).decode().strip().replace(" ", "-")


class Scene:
    """A scene, which runs in all terminals at the same time, with the same keys."""

    def __init__(self, stage, head, steps):
        self.stage, self.steps = stage, steps
        self.name, size, *self.variables = head.split()
        self.columns, self.rows = map(int, size.split("x"))
        self.look = "light" if "light" in self.variables else "dark"
        self.variables = [word for word in self.variables if word != "light"]
        # The texts of all frames, the files of their pictures with the time of each, and the expected texts.
        self.texts, self.frames = [], []
        path = THERE / f"{self.name}.txt"
        self.expected = path.read_text() if path.exists() else ""

    def play(self):
        for terminal in self.stage.terminals:
            shutil.copytree(SHOP, self.place(terminal) / "shop")
            (self.place(terminal) / "home").mkdir()
        for step in self.steps:
            word, _, rest = step.partition(" ")
            getattr(self, word)(rest)
        if self.frames: self.join_frames()
        else: self.shot()

    def place(self, terminal): return self.stage.folder / self.name / terminal.name

    def command(self, terminal, command):
        """A command as the shop's tester: own home, pinned locale and time zone, nothing of this machine."""
        home, path = self.place(terminal) / "home", f"{self.stage.programs}:/usr/local/bin:/usr/bin:/bin"
        return [
            "env", "-i", "-C", str(self.place(terminal) / "shop"), f"HOME={home}", f"PATH={path}", "SHELL=/bin/sh",
            "LC_ALL=C.UTF-8", "TZ=UTC", f"TERM={terminal.kind}", *self.variables, "sh", "-c", command]

    # The steps.

    def states(self, _): self.overridden(STATES)

    def changed(self, _):
        self.states("")
        self.opens("")
        self.sees("Express checkout | 5 changed")

    def apps(self, _):
        """Two running apps: one that took the override, and one that has not read it."""
        self.overridden("express_checkout=true")
        override = ("express_checkout", "bool", "true", "override")
        layout = ("checkout_layout", "string", "steps", "remote")
        for terminal in self.stage.terminals:
            self.announce(terminal, "shop", 4242, [override, layout], was_read=True)
            self.announce(terminal, "kiosk", 4711, [override], was_read=False)
        self.opens("")
        self.sees("2 apps running")

    def announce(self, terminal, name, process, flags, was_read):
        """Announces an app until the scene ends: one with another process id each time would change the pictures."""
        state = self.place(terminal) / "home/.local/state/flagmenu/shop"
        (state / "running").mkdir(mode=0o700, exist_ok=True)
        state.chmod(0o700)
        now, number = int(time.time()) * 1000, f"000000000000{process}"
        path = state / "running" / f"{number}.app.json"
        use = {"since": now - 60_000, "wasRead": was_read} | ({"readAt": now - 60_000} if was_read else {})
        path.write_text(json.dumps({
            "format": 1, "id": number, "name": name, "process": process, "startedAt": now - 180_000,
            "ignoredOverrides": None, "overrideFolder": str(state), "flags": [
                {"key": key, "type": type, "use": {"value": value, "layer": layer} | use}
                for key, type, value, layer in flags]}))
        # The lock shows that the app runs.
        self.stage.others.append(subprocess.Popen(["flock", str(path), "sleep", "60"]))

    def overridden(self, pairs):
        # An hour more, so that it is the same number of days however long a scene takes.
        moment = time.strftime("%FT%TZ", time.gmtime(time.time() - 3 * DAY - 3_600))
        values = dict(pair.split("=") for pair in pairs.split())
        overrides = {key: {"value": value, "setAt": moment, "setBy": "ana"} for key, value in values.items()}
        for terminal in self.stage.terminals:
            store = self.place(terminal) / "home/.local/state/flagmenu/shop"
            store.mkdir(parents=True)
            (store / "overrides.json").write_text(json.dumps({"format": 1, "revision": 1, "overrides": overrides}))

    def does(self, command):
        for terminal in self.stage.terminals:
            subprocess.run(self.command(terminal, command), check=True, capture_output=True)

    def opens(self, command):
        for terminal in self.stage.terminals:
            terminal.open(self, self.command(terminal, f"{command or 'flagmenu'}; exec cat"))

    def presses(self, keys):
        for key in keys.split():
            for terminal in self.stage.terminals: terminal.press(key)

    def types(self, text):
        for terminal in self.stage.terminals: terminal.type(text)
        self.sees(text)

    def wait(self, what, holds):
        for terminal in self.stage.terminals:
            if not wait_until(lambda: holds(terminal.text()), pause=0.05):
                raise AssertionError(f"{what} in {terminal.name}, which shows:\n{terminal.text()}")

    def sees(self, texts):
        for text in texts.split(" | "): self.wait(f"'{text}' does not appear", lambda screen: text in screen)

    def rests_at(self, text):
        self.wait(f"'{text}' is not the last line", lambda screen: screen.splitlines()[-1:] == [text])

    def settle(self, expected):
        """The text of the screen, when all terminals show the same and no longer change."""
        tmux, *others = self.stage.terminals

        def is_settled():
            first = tmux.dump()
            if any(other.text() != tmux.text() for other in others): return False
            # The expected text has come, or nothing changes any more.
            if first == expected: return True
            time.sleep(0.3)
            return first == tmux.dump()

        if not wait_until(is_settled): raise AssertionError(f"the screens do not come to rest: {tmux.text()}")
        text = tmux.dump()
        # Folders and users are those of one machine; pictures must not show them.
        if str(self.stage.folder) in text or f"by {getpass.getuser()}" in text:
            raise AssertionError(f"the screen shows a folder or a user of this machine:\n{text}")
        return text

    def shot(self):
        text = self.settle(self.expected)
        (self.stage.made / f"{self.name}.txt").write_text(text)
        if not self.stage.xterm: return
        # Few colours, as in a terminal: an eighth of the size, without a visible difference. -strip would remove the
        # comment.
        run("convert", "png:-", "+profile", "*", "+dither", "-colors", "96", "-set", "comment",
            seal(text), "-define", "png:compression-level=9", "-define", "png:exclude-chunks=date,tIME",
            f"PNG8:{self.stage.made}/{self.name}.png", input=self.stage.xterm.picture())

    def frame(self, words):
        hundredths, _, caption = words.partition(" ")
        head = f"== {len(self.texts) + 1:02d}: "
        expected = re.search(rf"^{head}.*\n((?:(?!== ).*\n)*)\n", self.expected, re.MULTILINE)
        self.texts.append(f"{head}{caption}\n{self.settle(expected[1] if expected else '')}\n")
        path = self.stage.folder / f"{len(self.texts):02d}.gif"
        self.frames.append((hundredths, str(path)))
        if not self.stage.xterm: return
        picture = self.stage.xterm.picture()
        width = run("identify", "-format", "%w", "png:-", input=picture).decode()
        run("convert", "png:-", "-strip", "(", "-size", f"{width}x48", "xc:#161b22", "-font", "DejaVu-Sans",
            "-pointsize", "19", "-fill", "#e6edf3", "-gravity", "center", "-annotate", "0", caption, ")", "-append",
            "+dither", "-colors", "48", str(path), input=picture)

    def join_frames(self):
        text, path = "".join(self.texts), self.stage.made / f"{self.name}.gif"
        path.with_suffix(".txt").write_text(text)
        if sum(int(hundredths) for hundredths, _ in self.frames) > 2_000: raise AssertionError("it is longer than 20 s")
        if not self.stage.xterm: return
        frames = [word for hundredths, file in self.frames for word in ("--delay", hundredths, file)]
        run("gifsicle", "--no-warnings", "-O3", "--colors", "64", "--loopcount=forever", "--comment", seal(text),
            *frames, "-o", str(path))
        if path.stat().st_size > 2_000_000: raise AssertionError("it has more than 2 MB")


class Stage:
    def __init__(self, folder, programs, with_pictures):
        self.folder, self.programs, self.made, self.others = folder, programs, folder / "made", []
        self.made.mkdir()
        self.xterm = Xterm(folder) if with_pictures else None
        self.terminals = [Tmux()] + ([self.xterm] if with_pictures else [])

    def play(self, scene):
        """Plays a scene; returns whether it could be played. One fails, the others run all the same."""
        try:
            scene.play()
            print(f"  {scene.name}", flush=True)
            return True
        except (AssertionError, subprocess.CalledProcessError) as error:
            print(f"{scene.name}: {error}", file=sys.stderr)
            return False
        finally:
            for terminal in self.terminals: terminal.close()
            for process in self.others: process.kill()
            self.others.clear()


def differences(stage, name):
    """Why a picture no longer shows the program."""
    there, found = THERE / f"{name}.txt", []
    if subprocess.run(["diff", "-u", str(there), str(stage.made / there.name)]).returncode: found.append("its text")
    # A text without its picture, or a picture without its text, was not made by this script.
    pictures = [path for path in (THERE / f"{name}.png", THERE / f"{name}.gif") if path.exists()]
    sealed = seal(there.read_text()).encode() if there.exists() else b"none"
    if not any(sealed in path.read_bytes() for path in pictures): found.append("the text of its picture")
    return found


def scenes(stage, chosen):
    """The chosen scenes, and the names of all."""
    text = re.sub(r"^#.*\n", "", (SHOP.parent / "scenes.txt").read_text(), flags=re.MULTILINE)
    entries = [[line.strip(" ") for line in entry.split("\n")] for entry in re.split(r"\n\n+", text.strip())]
    found = [Scene(stage, head, steps or ["changed"]) for head, *steps in entries]
    names = [scene.name for scene in found]
    unknown = sorted(set(chosen) - set(names))
    if unknown: sys.exit(f"These are not scenes: {unknown}. Scenes: {' '.join(names)}")
    return [scene for scene in found if not chosen or scene.name in chosen], names


parser = argparse.ArgumentParser()
parser.add_argument("--programs", type=pathlib.Path, required=True)
parser.add_argument("--check-text", dest="is_checking", action="store_true")
parser.add_argument("scenes", nargs="*")
options = parser.parse_args()
is_checking, chosen = options.is_checking, options.scenes
is_complete = all(shutil.which(tool) for tool in "Xvfb xterm xdotool import convert gifsicle".split())
if not is_checking and not is_complete: sys.exit("A program is missing: .github/scripts/packages.sh pictures")
errors = []
with tempfile.TemporaryDirectory() as folder:
    stage = Stage(pathlib.Path(folder).resolve(), options.programs.resolve(), not is_checking)
    played, names = scenes(stage, chosen)
    played = [scene.name for scene in played if stage.play(scene) or errors.append(f"{scene.name}: not played")]
    made = {path.name for path in stage.made.iterdir()}
    if is_checking:
        for name in played: errors += [f"{name}: {what} differs" for what in differences(stage, name)]
        unmade = [path.name for path in THERE.iterdir() if path.stem not in names]
        if unmade and not chosen: errors.append(f"no scene makes {unmade}")
    else:
        for name in made: shutil.copy(stage.made / name, THERE)
        for path in [] if chosen or errors else THERE.iterdir():
            if path.name not in made: path.unlink()
for error in errors: print(error, file=sys.stderr)
if errors and is_checking: print("Make the pictures again: .github/scripts/pictures.sh", file=sys.stderr)
print(f"{len(played)} scenes, {len(errors)} errors")
sys.exit(1 if errors else 0)
