#!/usr/bin/env bash
# Installs what tests need, builds `release` and `asan`, runs every test of both. Ends with ctest's
# summary; the exit status is ctest's.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
bash third_party/install_packages.sh third_party/packages-run.txt third_party/packages-test.txt

jobs=$(nproc)
for preset in release asan; do
    # Batches make a whole build shorter; a build folder that is there already stays as it is.
    batches=$([ -e build/$preset/CMakeCache.txt ] || echo -DNORMSCOPE_BATCHES=ON)
    cmake --preset $preset -DNORMSCOPE_TESTS=ON -DNORMSCOPE_BENCH=OFF $batches \
        ${CI:+-DCMAKE_COMPILE_WARNING_AS_ERROR=ON}
    cmake --build --preset $preset -j "$jobs"
done

# Both builds as one run, so that there is one summary.
mkdir -p build/both
printf 'subdirs("../release" "../asan")\n' >build/both/CTestTestfile.cmake
# One more than there are cores: there is always a test in a window, which mostly waits.
exec ctest --test-dir build/both -j "$((jobs + 1))" --output-on-failure "$@"
