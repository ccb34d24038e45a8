"""The two terminals in which a scene runs at the same time: tmux, and xterm under Xvfb."""
import os
import re
import subprocess

import common
from common import wait_until

# xterm's colours: the 16 of a modern terminal, not those of 1987. The menu names colours; these define them.
BACKGROUNDS = {"dark": ("#0d1117", "#c9d1d9"), "light": ("#ffffff", "#24292f")}
PALETTES = {
    "dark": """#161b22 #da3633 #3fb950 #d29922 #58a6ff #bc8cff #39c5cf #e6edf3
        #6e7681 #ffa198 #56d364 #e3b341 #79c0ff #d2a8ff #56d4dd #f0f6fc""".split(),
    "light": """#24292f #cf222e #116329 #bf8700 #0969da #8250df #1b7c83 #ffffff
        #57606a #a40e26 #1a7f37 #d4a72c #218bff #a475f9 #3192aa #ffffff""".split()}
X_KEYS = {"Enter": "Return", "Space": "space", "BSpace": "BackSpace"}
ATTRIBUTES = {1: "bold", 2: "dim", 3: "italic", 4: "underlined", 5: "blinking", 7: "reversed", 9: "struck"}
COLOURS = "black red green yellow blue magenta cyan white".split()
SEQUENCE = re.compile(r"\x1b\[([0-9;:]*)m|\x1b\][^\x1b\x07]*(?:\x07|\x1b\\)|[\x0e\x0f]")


def run(*command, **options):
    """The output of a command, whatever its exit status is."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options).stdout


def trimmed(text): return "\n".join(line.rstrip(" ") for line in text.splitlines()).rstrip("\n")


class Tmux(common.Tmux):
    name, kind = "tmux", "screen-256color"

    def __init__(self):
        super().__init__()
        # The server exits with its last window, so one stays open until the end.
        self.run("new-session", "-d", "-s", "keeper", "cat")
        for option in ("status off", f"default-terminal {self.kind}", "escape-time 0"):
            self.run("set-option", "-g", *option.split())

    def open(self, scene, command):
        # tmux's response to a request for its background.
        background, foreground = BACKGROUNDS[scene.look]
        self.run("set-option", "-g", "window-style", f"bg={background},fg={foreground}")
        self.run("new-session", "-d", "-s", "stage", "-x", str(scene.columns), "-y", str(scene.rows), *command)

    def press(self, key): self.run("send-keys", "-t", "stage", "--", key)

    def type(self, text): self.run("send-keys", "-t", "stage", "-l", "--", text)

    def text(self): return trimmed(self.run("capture-pane", "-p", "-t", "stage"))

    def dump(self):
        """The screen as a complete text: size, cursor, text, and styles."""
        cursor = "#{?cursor_flag,in row #{e|+:#{cursor_y},1} column #{e|+:#{cursor_x},1},hidden}"
        head = self.run("display-message", "-p", "-t", "stage", "#{pane_width}x#{pane_height}, cursor " + cursor)
        styled = self.run("capture-pane", "-p", "-N", "-e", "-t", "stage")
        lines = "".join(line.rstrip(" ") + "\n" for line in self.run("capture-pane", "-p", "-t", "stage").splitlines())
        return f"{head}\n{lines}\n{styles(styled)}"

    def close(self): self.run("kill-session", "-t", "stage", stderr=subprocess.DEVNULL)


class Xterm:
    name, kind = "xterm", "xterm-256color"

    def __init__(self, folder):
        self.folder, self.process = folder, None
        # Xvfb finds a free display itself and prints its number.
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-screen", "0", "2600x1800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writer], stderr=subprocess.DEVNULL)
        common.opened.append(self.server)
        os.environ["DISPLAY"] = f":{os.read(reader, 16).decode().strip()}"

    def open(self, scene, command):
        background, foreground = BACKGROUNDS[scene.look]
        points = 10 if scene.columns > 160 else 12 if scene.columns > 100 else 13
        # alwaysHighlight: the cursor is drawn as in the window that has the focus. Print writes the screen to a file.
        printed = f"{self.folder}/print"
        settings = [f"color{index}: {colour}" for index, colour in enumerate(PALETTES[scene.look])] + [
            "alwaysHighlight: true", "cursorBlink: never", "boldColors: false", "printAttributes: 0",
            f"printerCommand: cat >'{printed}.part' && mv '{printed}.part' '{printed}'",
            "printerAutoClose: true", "translations: #override <Key>Print: print()"]
        options = [word for setting in settings for word in ("-xrm", f"*VT100.{setting}")]
        self.process = subprocess.Popen(
            ["xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fs", str(points), "-b", "14", "-bw", "0", "+sb", "-geometry",
             f"{scene.columns}x{scene.rows}+0+0", "-bg", background, "-fg", foreground, "-cr", foreground, *options,
             "-e", "sh", "-c", f'printf %s "$WINDOWID" >"{self.folder}/window"; exec "$@"', "sh", *command],
            stderr=subprocess.DEVNULL)

        def has_focus():
            path = self.folder / "window"
            self.window = path.read_text() if path.exists() else ""
            focus = subprocess.run(["xdotool", "windowfocus", self.window], stderr=subprocess.DEVNULL)
            return self.window and focus.returncode == 0

        if not wait_until(has_focus): raise AssertionError("xterm did not start")

    def press(self, key):
        run("xdotool", *(["type", "--", key] if len(key) == 1 else ["key", X_KEYS.get(key, key)]))

    def type(self, text): run("xdotool", "type", "--", text)

    def text(self):
        """What xterm prints of its screen."""
        path = self.folder / "print"
        path.unlink(missing_ok=True)
        run("xdotool", "key", "--window", "0", "Print")
        return trimmed(path.read_text()) if wait_until(path.exists, seconds=5) else ""

    def picture(self): return run("import", "-window", self.window, "png:-")

    def close(self):
        if self.process: self.process.kill()
        if self.process: self.process.wait()
        self.process = None
        (self.folder / "window").unlink(missing_ok=True)


def styles(text):
    """What `tmux capture-pane -e` writes as words: each row that is not plain, by its number, with {styles} where they
    change. Which sequences lead to a style is not told, so that the version of tmux does not matter."""
    attributes, colours, result = {}, {}, ""

    def select(codes):
        codes = [int(code or 0) for code in codes.split(";")]
        while codes:
            code = codes.pop(0)
            if code == 0: attributes.clear() or colours.clear()
            elif code in ATTRIBUTES: attributes[code] = ATTRIBUTES[code]
            elif 22 <= code <= 29:
                for one in [1, 2] if code == 22 else [code - 20]: attributes.pop(one, None)
            elif code in (39, 49): colours.pop(code // 10 * 10, None)
            else:
                # 30 to 37 and 90 to 97 are of letters, 40 to 47 and 100 to 107 of the background.
                is_bright, place = code >= 90, (code - 60 if code >= 90 else code) // 10 * 10
                if code % 10 < 8: name = ("bright " if is_bright else "") + COLOURS[code % 10]
                elif codes.pop(0) == 5: name = f"colour {codes.pop(0)}"
                else: name = f"rgb {','.join(str(codes.pop(0)) for _ in range(3))}"
                colours[place] = ("on " if place == 40 else "") + name

    def shows_on_blanks(style): return re.search(r"(^| )on |reversed|underlined|struck", style)

    for number, line in enumerate(text.splitlines(), 1):
        row, shown, is_plain, at = "", "", True, 0
        for found in [*SEQUENCE.finditer(line), None]:
            part = line[at:found.start() if found else None]
            if part:
                style = " ".join(values[key] for values in (attributes, colours) for key in sorted(values))
                # Colours of letters do not show on blanks.
                if not part.strip(" ") and not shows_on_blanks(style): style = "" if shows_on_blanks(shown) else shown
                if style != shown: row, is_plain = f"{row}{{{style}}}", False
                shown = style
                row += part
            if found and found[1] is not None: select(found[1])
            at = found.end() if found else at
        if not shows_on_blanks(shown): row = re.sub(r"( |\{\})+$", "", row)
        if not is_plain: result += f"{number:3d} {row}\n"
    return result
