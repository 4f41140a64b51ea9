# Sourced by run.sh and test.sh, in the source tree.

# build_folder PRESET: prints the folder to build in: build/PRESET, or, where that cannot be written to,
# one below the user's cache. A folder that was configured for another tree is emptied, as this tree is a
# copy or was moved: it would compile the other tree's sources.
build_folder() {
    local folder=$PWD/build/$1 cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}} of
    if ! mkdir -p "$folder" 2>/dev/null || [ ! -w "$folder" ]; then
        folder=$cache/normscope/$1
        if [ -z "$cache" ] || ! mkdir -p "$folder" 2>/dev/null || [ ! -w "$folder" ]; then
            echo "$PWD cannot be written to, nor a cache: set XDG_CACHE_HOME to a folder to build in." >&2
            return 1
        fi
    fi
    of=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt" 2>/dev/null || true)
    if [ -n "$of" ] && [ ! "$of" -ef . ]; then
        echo "$folder was configured for $of: configuring anew" >&2
        rm -rf "$folder"
        mkdir "$folder"
    fi
    echo "$folder"
}
