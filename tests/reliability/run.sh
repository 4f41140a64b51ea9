#!/usr/bin/env bash
# run.sh PROGRAM [OPTIONS]: attacks the program in a real window and prints a table of attempts and
# failures. Takes hours; not part of ./test.sh. Some attacks mount file systems and want root.
#   run.sh build/release/app/normscope                      all attacks
#   run.sh build/release/app/normscope --only kill --times 50
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
PYTHONPATH=$here/../e2e exec xvfb-run -a -s "-noreset -screen 0 1280x800x24" python3 -B "$here/attacks.py" "$@"
