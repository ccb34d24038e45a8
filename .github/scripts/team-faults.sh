#!/usr/bin/env bash
# Injects faults into real etcd members while writers change a team's values and clients follow them, and checks
# the recorded histories with a model; see team-faults.py and team-history.py.
#
# usage: .github/scripts/team-faults.sh [--short] [--program FLAGMENU]
#
# --short takes about a minute and a half: fewer writers, and shorter faults. The whole script takes some five minutes,
# so it is not part of the check of every change. Exits with 77 if etcd or tmux is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."
for program in etcd etcdctl tmux; do
    command -v "$program" >/dev/null || {
        echo "$program is missing: apt-get install etcd-server etcd-client tmux" >&2
        exit 77
    }
done
exec python3 .github/scripts/team-faults.py "$@"
