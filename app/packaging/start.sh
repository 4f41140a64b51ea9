#!/bin/sh
# Starts the program of this folder, or says what of the system is missing.
program=$(dirname "$(readlink -f "$0")")/../libexec/normscope
missing=$(LD_TRACE_LOADED_OBJECTS=1 "$program" 2>&1 | sed -n \
    "s/^[[:space:]]*\([^ ]*\) => not found.*/\1/p; s/.*version .\(GLIBC[^' ]*\).*not found.*/\1/p" | sort -u | xargs)
case $missing in
'') exec "$program" "$@" ;;
*GLIBC*) echo "NormScope: this system is older than the one this folder was made on, and lacks $missing." ;;
libGL.so.1) echo "NormScope needs OpenGL: apt install libgl1 libgl1-mesa-dri (Fedora: dnf install mesa-libGL)" ;;
*) echo "NormScope needs libraries that this system lacks: $missing" ;;
esac >&2
exit 1
