#!/usr/bin/env bash
# setup_test.sh: run.sh, test.sh and what they share, against an apt, a sudo, a cmake and a ninja that are
# scripts of a few lines. Needs no network and installs nothing.
set -uo pipefail
tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
export PATH=$work/bin:$PATH work
failed=0

fake() { # NAME: a program that does what stands on stdin
    { echo '#!/bin/bash'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
expect() { # WHAT CONDITION...
    local what=$1
    shift
    "$@" && return
    echo "FAILED: $test: $what"
    sed 's/^/    | /' "$work/said"
    failed=1
}
says() { grep -qF -- "$1" "$work/said"; }
lines() { [ "$(wc -l <"$work/said")" -le "$1" ]; }
run() { # COMMAND...: its words in $work/said, its end in $status
    "$@" >"$work/said" 2>&1 </dev/null
    status=$?
}

# The packages of a list, installed by apt-get as $work/apt says.
printf '%s\n' 'here' 'g++ # the compiler' 'libgone-dev' 'fonts-nice?' >"$work/list"
fake dpkg-query <<<'printf "%s\n" "here installed" "libgone-dev config-files" "g++-12 installed"; exit 1'
fake apt-cache <<<'printf "%s\n" here g++ g++-12 libgone-dev fonts-nice'
fake apt-get <<<'. $work/apt'
fake sleep <<<'echo "$1" >>$work/slept'
fake id <<<'echo ${user:-0}'
install() { run bash "$tree/third_party/install_packages.sh" "${1:-$work/list}"; }
works='case "$*" in
*--assume-no*) echo "0 upgraded, 90 newly installed, 0 to remove"; echo "Need to get 171 MB of archives."
    echo "After this operation, 702 MB of additional disk space will be used."; exit 1 ;;
*" install "*) echo "$*" >>$work/installed
    printf "%s\n" "dlstatus:1:40.5:Retrieving" "dlstatus:9:99.9:Retrieving" "pmstatus:g++:12.5:Unpacking" >&3
    for line in {1..200}; do echo "Unpacking $line"; done ;;
esac'

test="what is there is not asked for"
echo 'echo asked; exit 1' >"$work/apt"
printf '%s\n' here 'fonts-nice?' >"$work/there"
install "$work/there"
expect "ends well" [ $status = 0 ]
expect "says nothing" lines 0

test="packages are installed quietly, with their number and size first"
echo "$works" >"$work/apt"
install
expect "ends well" [ $status = 0 ]
expect "their names" says "g++ libgone-dev fonts-nice"
expect "their number" says "90 packages"
expect "their size" says "171 MB"
expect "progress" says "Downloading packages"
expect "no words of apt" lines 8
expect "what is missing alone" grep -qE ' g\+\+ libgone-dev fonts-nice$' "$work/installed"

test="without sudo the line to paste is printed"
export user=1000
fake sudo <<<'echo "sudo: student is not in the sudoers file" >&2; exit 1'
install
expect "ends badly" [ $status = 2 ]
expect "the line" says "    apt install --no-install-recommends g++ libgone-dev fonts-nice"
printf '%s\n' 'unknown' 'g++' >"$work/unknown"
install "$work/unknown"
expect "lists first" says "    apt update && apt install --no-install-recommends unknown g++"

test="sudo is asked once"
rm -f "$work/installed"
fake sudo <<<'echo asked >>$work/asked; while [[ $1 == -* ]]; do [ $1 != -p ] || shift; shift; done; user=0 exec "$@"'
install
expect "ends well" [ $status = 0 ]
expect "installed" [ -s "$work/installed" ]
expect "once" [ "$(wc -l <"$work/asked")" = 1 ]
unset user

test="no network is one sentence"
echo 'for line in {1..99}; do echo "W: Failed to fetch http://deb.debian.org/x  Could not resolve it"; done
[[ $* != *--assume-no* ]] || echo "0 upgraded, 90 newly installed, 0 to remove"
[[ $* != *" -y "* ]] || exit 100' >"$work/apt"
install
expect "ends badly" [ $status = 2 ]
expect "the sentence" says "cannot be downloaded: Could not resolve it."
expect "no words of apt" lines 4
install "$work/unknown"
expect "the same where nothing is known" says "cannot be downloaded: Could not resolve it."

test="an apt that is busy is waited for, a minute at most"
busy='echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (unattended-upgr)"; exit 100'
echo "$busy" >"$work/apt"
install
expect "ends badly" [ $status = 2 ]
expect "who" says "held by process 7 (unattended-upgr)"
expect "a minute" [ "$(awk '{ s += $1 } END { print s }' "$work/slept")" = 60 ]
expect "no words of apt" lines 3
echo "[ \$(wc -l <\$work/slept) -gt 31 ] || { $busy; }; $works" >"$work/apt"
install
expect "goes on when it is free" [ $status = 0 ]

test="a package that no source has is named"
echo "$works" >"$work/apt"
install "$work/unknown"
expect "ends badly" [ $status = 2 ]
expect "its name" says "No package source of this system has: unknown"

test="run.sh starts from anywhere, by sh, through a link, without HOME"
mkdir -p "$work/a tree/third_party"
cp "$tree/run.sh" "$work/a tree/"
cp "$tree/third_party/"*.sh "$work/a tree/third_party/"
echo here >"$work/a tree/third_party/packages-run.txt"
# A "build" writes a program that says which sources it was made of, and from where it was started.
fake cmake <<'END'
while [ "$1" != -B ]; do shift; done
mkdir -p "$2/app"
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$2/CMakeCache.txt"
printf '#!/bin/sh\necho "made of %s, started in $PWD with $*"\n' "$PWD" >"$2/app/normscope"
chmod +x "$2/app/normscope"
touch "$2/build.ninja"
END
fake ninja <<<'echo "[1/1] made"'
ln -s "$work/a tree/run.sh" "$work/start"
cd "$work/bin" || exit 1
run env -u HOME sh "$work/start" --example "two words"
expect "ends well" [ $status = 0 ]
expect "its sources and its arguments" says "made of $work/a tree, started in $work/bin with --example two words"

test="a copied and a moved tree are configured anew"
cp -r "$work/a tree" "$work/copy"
run sh "$work/copy/run.sh"
expect "the copy's sources" says "made of $work/copy,"
expect "says so" says "was configured for $work/a tree"
mv "$work/copy" "$work/moved"
run sh "$work/moved/run.sh"
expect "the moved sources" says "made of $work/moved,"
run sh "$work/moved/run.sh"
expect "only once" lines 2

test="a tree that cannot be written to is built in the cache"
rm -r "$work/moved/build"
touch "$work/moved/build"
run env XDG_CACHE_HOME="$work/cache" "$work/moved/run.sh"
expect "ends well" [ $status = 0 ]
expect "there" [ -x "$work/cache/normscope/release/app/normscope" ]
run env -u HOME -u XDG_CACHE_HOME "$work/moved/run.sh"
expect "says why not" says "set XDG_CACHE_HOME"
expect "a sentence" lines 1

test="as many compilers as cores, if the memory has room for them"
rm "$work/bin/cmake"
jobs() { # MEMINFO LIMIT
    echo "include(\"$tree/third_party/jobs.cmake\")
normscope_jobs(jobs 1500 $work/meminfo $work/limit)
message(\"jobs \${jobs}\")" >"$work/jobs.cmake"
    echo "$1" >"$work/meminfo"
    echo "$2" >"$work/limit"
    run cmake -P "$work/jobs.cmake"
}
cores=$(getconf _NPROCESSORS_ONLN)
jobs "MemAvailable: 900000000 kB" max
expect "a job for each core" says "jobs $cores"
jobs "MemAvailable: 1700000 kB" max
expect "memory for one" says "jobs 1"
jobs "MemAvailable: 100 kB" max
expect "at least one" says "jobs 1"
jobs "MemAvailable: 900000000 kB" 2000000000
expect "a container's limit" says "jobs 1"

exit $failed
