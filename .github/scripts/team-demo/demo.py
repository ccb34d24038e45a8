"""Three members of etcd, two menus, a server and a client of a team in tmux. See team-demo.sh."""
import os
import sys
import tempfile

import common
from common import Checks, Home, Server, Tmux
from team.cluster import Cluster

KEY, CLIENT = "enable_multiple_locations", os.path.join(os.path.dirname(__file__), "client.py")
checks, tmux, folder = Checks("team-demo"), Tmux(160, 40), tempfile.TemporaryDirectory()
cluster = Cluster(folder.name)
team = "etcd://" + ",".join(f"127.0.0.1:{port}" for port in cluster.clients) + "/demo"
ana, bob = (Home(sys.argv[1], USER=name, FLAGMENU_TEAM=team) for name in ("ana", "bob"))
server = Server({}, "--sample", USER="server", FLAGMENU_TEAM=team)
tmux.open(ana, "flagmenu", "--sample")
tmux.open(bob, "flagmenu", "--sample", split="-h")
tmux.open(bob, sys.executable, "-B", common.__file__, CLIENT, server.url, KEY, split="-v")
print(f"Pages: {server.link}")
tmux.show()
tmux.expect(checks, "the menus open", 0, "Multiple locations")
tmux.expect(checks, "the client prints the first value", 2, f"{KEY} = false (remote)")
ana.flagmenu("set", KEY, "true", "--layer", "team", "--sample")
tmux.expect(checks, "ana's menu shows the team's value", 0, "true team")
tmux.expect(checks, "bob's menu shows the team's value", 1, "true team")
tmux.expect(checks, "the client prints the team's value", 2, f"{KEY} = true (team)")
checks.finish("both menus and the client")
