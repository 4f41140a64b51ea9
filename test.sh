#!/usr/bin/env bash
# Installs what tests need, builds `release` and `asan`, runs every test of each. Ends with ctest's
# summary; the exit status is ctest's.
[ -n "${BASH_VERSION:-}" ] || exec bash "$0" "$@" # sh test.sh
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
. third_party/build_folder.sh
bash third_party/install_packages.sh third_party/packages-run.txt third_party/packages-test.txt

for preset in release asan; do
    build=$(build_folder $preset)
    # Batches make a whole build shorter; a build folder that is there already stays as it is.
    batches=$([ -e "$build/build.ninja" ] || echo -DNORMSCOPE_BATCHES=ON)
    cmake --preset $preset -B "$build" -DNORMSCOPE_TESTS=ON -DNORMSCOPE_BENCH=OFF $batches \
        ${CI:+-DCMAKE_COMPILE_WARNING_AS_ERROR=ON}
    cmake --build "$build"
done

# Both builds as one run, so that there is one summary.
all=$(build_folder all)
printf 'subdirs("../release" "../asan")\n' >"$all/CTestTestfile.cmake"
# One more than there are cores: there is always a test in a window, which mostly waits.
exec ctest --test-dir "$all" -j "$(($(nproc) + 1))" --no-tests=error --output-on-failure "$@"
