#!/usr/bin/env bash
# Injects faults into real etcd members while writers change a team's values and clients follow them, and checks
# the recorded histories with a model.
#
# usage: .github/scripts/team-faults.sh [--programs FOLDER] [--short]
#
# --short takes a minute and a half: fewer writers, and shorter faults. The whole script takes some five minutes, so it
# is not part of the check of every change. FOLDER has the built flagmenu. Exits with 77 if etcd or tmux is missing.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs etcd etcdctl tmux
python_checks team faults "$@"
