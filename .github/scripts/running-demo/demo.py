"""A menu beside two demos in tmux. See running-demo.sh."""
import sys

from common import Checks, Home, Tmux

checks, tmux, home = Checks("running-demo"), Tmux(170, 44), Home(sys.argv[1])
once = ["flagmenu-demo", "--once", "--screen", "onboarding"]
tmux.open(home, "flagmenu", "--sample")
tmux.open(home, "flagmenu-demo", "--screen", "onboarding", split="-h")
tmux.open(home, *once, split="-v")
tmux.run("select-pane", "-t", ":.0")
tmux.run("resize-pane", "-t", ":.0", "-x", "100")
tmux.show()
tmux.expect(checks, "the menu lists two apps", 0, "2 apps running")
tmux.expect(checks, "the first demo opens", 1, "Good morning")
tmux.expect(checks, "the second demo opens", 2, "flags read at the start")
home.flagmenu("set", "greeting_text", "Hello", "--sample", "--quiet")
tmux.expect(checks, "the first demo shows the override", 1, "Hello")
tmux.expect(checks, "the second demo keeps its text", 2, "Good morning")
tmux.press("/", "greeting", "Enter", "i")
tmux.expect(checks, "the details name the demo that uses the value", 0, "took Hello after")
tmux.expect(checks, "the details name the demo that must be restarted", 0, "restart it")
tmux.run("respawn-pane", "-k", "-t", ":.2")
tmux.expect(checks, "the restarted demo shows the override", 2, "Hello")
checks.finish("one demo took the change, the other after its restart, and the menu said so")
