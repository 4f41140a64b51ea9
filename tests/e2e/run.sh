#!/usr/bin/env bash
# run.sh PROGRAM TEST.py: runs a test in a display of its own. Exit status 77 (skipped) where a tool
# is missing.
set -euo pipefail
for tool in xvfb-run xauth xdotool python3; do
    command -v $tool >/dev/null || {
        echo "skipped: $tool is missing (apt-get install xvfb xauth xdotool python3)"
        exit 77
    }
done
# The server goes on (-noreset) when the program, its only client, ends between two starts.
# What is on the screen is in a file of this folder, for ProgramTest.screen.
NORMSCOPE_SCREEN=$(mktemp -d)
export NORMSCOPE_SCREEN
trap 'rm -rf "$NORMSCOPE_SCREEN"' EXIT
xvfb-run -a -s "-noreset -screen 0 1280x800x24 -fbdir $NORMSCOPE_SCREEN" python3 -B "$2" "$1"
