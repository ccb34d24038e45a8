#!/usr/bin/env bash
# Operates the page of flagmenu serve in a real Chromium: by keyboard alone, with changes made elsewhere, without a
# connection, read-only, with 10,000 flags, on a phone and on a desktop, light and dark. axe-core must find no violation
# in any of these states.
#
# usage: page-tests.sh [--programs FOLDER] [operation | states | documents]...
#
# By default, all parts. FOLDER has the built flagmenu. Installs Selenium and axe-core from the package index into
# .build; exits with 77 if it cannot, or without a Chromium and its driver.
set -euo pipefail
source "$(dirname "$0")/shared.sh"
needs chromium chromedriver
python_checks page "operation states documents" "$@"
