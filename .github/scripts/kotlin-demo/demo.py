"""A menu beside an app in Kotlin, both on the flags of one server. See kotlin-demo.sh."""
import pathlib
import subprocess
import sys

from common import Checks, Server, Tmux

folder = pathlib.Path(__file__).parent
checks, tmux = Checks("kotlin-demo"), Tmux(160, 24)
server = Server((folder / "remoteconfig.template.json").read_text())
server.flagmenu("generate", "kotlin", "--name", "com.example.locations.AppFlags", "--output", "AppFlags.kt")
files = [f"{server.place}/AppFlags.kt", str(folder / "Locations.kt")]
app = f"{server.place}/locations.jar"
build = subprocess.run(["kotlinc", *files, "-include-runtime", "-d", app], capture_output=True, text=True)
if build.returncode: sys.exit(f"kotlinc exits with {build.returncode}: {build.stderr}")
tmux.open(server, "flagmenu")
tmux.open(server, "/usr/bin/java", "-jar", app, server.url, split="-h")
tmux.run("select-pane", "-t", ":.0")
tmux.show()
tmux.expect(checks, "the app shows one location", 1, "Screen: Lisbon (12 seats)")
tmux.expect(checks, "the menu shows the flag", 0, "Multiple Locations")
tmux.press("Space")
tmux.expect(checks, "the app follows a toggle in the menu", 1, "Screen: Lisbon (12 seats), Oslo (8 seats)")
server.flagmenu("set", "locations", '[{"name": "Rome", "seats": 3}]')
tmux.expect(checks, "the app follows JSON of another process", 1, "Screen: Rome (3 seats)")
server.flagmenu("set", "locations", '[{"name": "Rome"}]')
tmux.expect(checks, "JSON of another shape is not used", 1, "Rome (3 seats) Screen: Lisbon (12 seats), Oslo (8 seats)")
server.flagmenu("reset", "--all", "--yes")
tmux.expect(checks, "the app follows a reset", 1, "Oslo (8 seats) Screen: Lisbon (12 seats)")
server.end(checks)
checks.finish("an app in Kotlin followed the menu over OFREP")
