#!/usr/bin/env bash
# install_packages.sh LIST...: installs what is missing of the packages in the lists, and says so
# first. Quick where nothing is missing: dpkg is asked once, apt not at all.
set -euo pipefail

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is no Debian: install what the lists in third_party name by hand." >&2
    exit 0
fi

mapfile -t wanted < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$@")

declare -A installed=()
while read -r name status; do
    [ "$status" = installed ] && installed[$name]=1
done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' \
    $(printf '%s\n' "${wanted[@]%\?}" | tr '|' '\n') 2>/dev/null || true)

missing=()
for entry in "${wanted[@]}"; do
    found=
    for name in $(tr '|' ' ' <<<"${entry%\?}"); do
        [ -n "${installed[$name]:-}" ] && found=1
    done
    [ -n "$found" ] || missing+=("$entry")
done
[ ${#missing[@]} -gt 0 ] || exit 0

# A package that may be missing is looked for once, not on every start.
stamp=${XDG_CACHE_HOME:-$HOME/.cache}/normscope-packages
required=$(printf '%s\n' "${missing[@]}" | grep -v '?$' || true)
if [ -z "$required" ] && [ -f "$stamp" ] && [ "$(cat "$stamp")" = "${missing[*]}" ]; then
    exit 0
fi
remember() {
    mkdir -p "${stamp%/*}"
    echo "${missing[*]}" >"$stamp"
}
do_without() { # ends well without what is missing if none of that is required
    [ -z "$required" ] || return 0
    remember
    exit 0
}

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        do_without
        echo "These packages are missing, and there is no sudo to install them with:" >&2
        echo "  ${missing[*]}" >&2
        echo "Install them as root, then start again." >&2
        exit 1
    fi
    as_root=sudo
fi
echo "NormScope needs these packages: ${missing[*]}"
echo "They are installed with: ${as_root:+sudo }apt-get install (from your system's own sources)"
$as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || do_without

chosen=()
for entry in "${missing[@]}"; do
    pick=
    for name in $(tr '|' ' ' <<<"${entry%\?}"); do
        if [ -z "$pick" ] && apt-cache show --no-all-versions "$name" >/dev/null 2>&1; then
            pick=$name
        fi
    done
    if [ -n "$pick" ]; then
        chosen+=("$pick")
    elif [ "${entry%\?}" = "$entry" ]; then
        echo "No package source of this system has ${entry//|/ or }." >&2
        echo "On Ubuntu, enable the universe component: sudo add-apt-repository universe" >&2
        exit 1
    else
        remember
    fi
done
[ ${#chosen[@]} -eq 0 ] ||
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${chosen[@]}" || {
    do_without
    exit 1
}
