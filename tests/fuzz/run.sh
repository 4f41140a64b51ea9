#!/usr/bin/env bash
# run.sh [SECONDS [TARGET...]]: installs what is missing, builds the fuzz targets with clang and lets each
# search for a minute, or for SECONDS. What a search finds is printed and kept in build/fuzz/found; once it
# is mended, it belongs into corpus/TARGET.
set -euo pipefail
seconds=${1:-60}
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
targets=("${@:2}")
if [ ${#targets[@]} = 0 ]; then
    for source in tests/fuzz/*_fuzz.cpp; do targets+=("$(basename "$source" _fuzz.cpp)"); done
fi
bash third_party/install_packages.sh third_party/packages-{run,test,fuzz}.txt
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --target "${targets[@]/%/_fuzz}"

# Each input is a file for a moment: in memory, a search tries several times as many.
[ ! -w /dev/shm ] || export TMPDIR=/dev/shm
status=0
for target in "${targets[@]}"; do
    mapfile -t seeds <build/fuzz/tests/fuzz/"$target".seeds
    mkdir -p build/fuzz/{found,grown}/"$target"
    echo "== $target: $seconds s"
    build/fuzz/tests/fuzz/"${target}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix=build/fuzz/found/"$target"/ -print_final_stats=1 -print_funcs=0 -verbosity=0 \
        build/fuzz/grown/"$target" "${seeds[@]}" || status=1
done
exit $status
