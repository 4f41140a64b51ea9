#!/usr/bin/env bash
# install_packages.sh LIST...: installs what is missing of the packages in the lists, and says so first.
# Quick where nothing is missing: dpkg is asked once, apt not at all. Where it cannot install them, it says
# in a sentence why, and exits with 2.
set -euo pipefail

stop() { # SENTENCE...
    printf '%s\n' "$@" >&2
    exit 2
}

choose() { # PACKAGE...: puts what to install into `packages`, and what apt does not know of it into `unknown`
    local known package
    known=$'\n'$(apt-cache pkgnames 2>/dev/null | grep -Fx "$(printf '%s\n' "${@%\?}")" || true)$'\n'
    packages=()
    unknown=()
    for package in "$@"; do
        if [[ $known != *$'\n'"${package%\?}"$'\n'* ]]; then
            [[ $package != *\? ]] || continue
            unknown+=("$package")
        fi
        packages+=("${package%\?}")
    done
}

# Its words go into $log. Another program that installs packages is waited for, a minute at most.
apt_get() {
    local tried
    for tried in {1..30}; do
        apt-get -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" >"$log" 2>&1 </dev/null && return
        grep -q '^E: Could not get lock' "$log" || return 100
        [ "$tried" -gt 1 ] || echo "Another program is installing packages: waiting for it, a minute at most" >&2
        sleep 2
    done
    stop "Another program is still installing packages$(
        sed -nE 's/.* (held by process [0-9]+ \([^)]*\)).*/ (apt is \1)/p' "$log" | head -n 1
    ). Start again when it has ended."
}

explain() { # why apt_get failed
    local reason
    reason=$(sed -nE 's/^[EW]: Failed to fetch \S+ +//p' "$log" | head -n 1)
    [ -z "$reason" ] || stop "The packages cannot be downloaded: $reason." \
        "Connect this computer to the network, or set apt's proxy, and start again. All that apt said: $log"
    stop "The packages cannot be installed: $(sed -n 's/^E: //p' "$log" | head -n 1)" "All that apt said: $log"
}

show_progress() { # of what apt writes to its status descriptor
    local kind percent now last=
    while IFS=: read -r kind _ percent _; do
        case $kind in
        dlstatus) kind=Downloading ;;
        pmstatus) kind=Installing ;;
        *) continue ;;
        esac
        now="$kind packages"
        [ ! -t 2 ] || printf -v now '\r%s: %3d %%' "$now" "${percent%.*}"
        [ "$now" = "$last" ] || printf '%s' "$now" >&2
        [ "$now" = "$last" ] || [ -t 2 ] || echo >&2
        last=$now
    done
    [ ! -t 2 ] || echo >&2
}

install_as_root() { # PACKAGE...
    set -euo pipefail
    export LC_ALL=C DEBIAN_FRONTEND=noninteractive NEEDRESTART_SUSPEND=1
    log=$(mktemp -t normscope-apt-XXXXXX)
    chmod 644 "$log"
    apt_get update || true # one of many sources may be out of order
    choose "$@"
    if [ ${#unknown[@]} -gt 0 ]; then
        ! grep -Eq '^(E:|W: Failed to fetch)' "$log" || explain
        stop "No package source of this system has: ${unknown[*]}" \
            "On Ubuntu, enable the universe component: sudo add-apt-repository universe"
    fi
    packages=(--no-install-recommends --no-remove "${packages[@]}")
    apt_get install --assume-no "${packages[@]}" || grep -q ' newly installed' "$log" || explain
    sed -nE 's/.* ([0-9]+) newly installed.*/\1 packages with what they need/p
             s/^Need to get (.*) of archives.*/\1 to download/p
             s/^After this operation, (.*) of additional disk space.*/\1 on the disk/p' "$log" |
        paste -sd, | sed 's/,/, /g' >&2
    apt_get install -y -o APT::Status-Fd=3 "${packages[@]}" 3>&1 | show_progress || {
        [ "${PIPESTATUS[0]}" = 100 ] || exit 2
        explain
    }
    rm "$log"
}

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "This is no Debian: install what the lists in third_party name by hand." >&2
    exit 0
fi

mapfile -t wanted < <(sed -E 's/[[:space:]]*(#.*)?$//; /^$/d' "$@")
installed=$'\n'$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]%\?}" 2>/dev/null || true)$'\n'
missing=()
required=
for package in "${wanted[@]}"; do
    [[ $installed != *$'\n'"${package%\?} installed"$'\n'* ]] || continue
    missing+=("$package")
    [[ $package = *\? ]] || required=1
done
[ -n "$required" ] || exit 0

names=${missing[*]}
echo "NormScope needs packages of this system's own sources: ${names//\?/}" >&2
if [ "$(id -u)" -eq 0 ]; then
    install_as_root "${missing[@]}"
    exit
fi
if command -v sudo >/dev/null; then
    no_terminal=
    { : </dev/tty; } 2>/dev/null || no_terminal=-n
    # Root might not be allowed to read this file: the functions go along as text.
    sudo $no_terminal -p "To install them, sudo wants the password of %u: " \
        bash -c "$(declare -f); install_as_root \"\$@\"" install "${missing[@]}" && exit
    [ $? -ne 2 ] || exit 2
fi

choose "${missing[@]}"
stop "Only root may install them. As root, or by whoever looks after this computer:" \
    "    ${unknown:+apt update && }apt install --no-install-recommends ${packages[*]}" "Then start again."
