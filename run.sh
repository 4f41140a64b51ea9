#!/usr/bin/env bash
# Installs what is missing, builds NormScope and starts it. Arguments go on to the program:
#   ./run.sh --example outlier      ./run.sh compute --help
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # sh run.sh
set -euo pipefail
started_in=$PWD
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. third_party/build_folder.sh
bash third_party/install_packages.sh third_party/packages-run.txt >&2

build=$(build_folder release)
log=$build/run.log
quietly() { # shows the output of a step only if it fails
    "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
if [ ! -f "$build/build.ninja" ]; then
    echo "Configuring (once)" >&2
    tests=OFF
    pkg-config --exists gtest && tests=ON
    # In batches, as test.sh: a first build in about half the time.
    quietly cmake --preset release -B "$build" -DNORMSCOPE_TESTS=$tests -DNORMSCOPE_BATCHES=ON
fi
# Ninja lets the compilers that run already end when one of them fails, which takes a minute or more:
# they are stopped.
compile() {
    local line failed=
    exec 3< <(exec ninja -C "$build" normscope 2>&1)
    local ninja=$!
    while IFS= read -r ${failed:+-t 1} line <&3; do
        case $line in
        *'Entering directory'* | *'Re-checking globbed'* | *'no work to do'* | '-- '*) continue ;;
        FAILED:*) failed=1 ;;
        *'Killed signal'*) line+=$'\nThe system ended a compiler, as a rule for want of memory: close other programs.' ;;
        esac
        printf '%s\n' "$line" >&2
    done
    [ -z "$failed" ] || kill -INT $ninja 2>/dev/null || true
    wait $ninja
}
[ -x "$build/app/normscope" ] || echo "Building NormScope in $build; the first time takes a few minutes" >&2
compile
program=$build/app/normscope
cd "$started_in"
exec "$program" "$@"
