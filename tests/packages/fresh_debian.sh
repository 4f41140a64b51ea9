#!/usr/bin/env bash
# fresh_debian.sh [SUITE] [FOLDER]: makes a bare Debian (trixie unless SUITE names another) or Ubuntu
# (noble) with debootstrap, clones the commit of this checkout into it, and there, as a user with sudo and
# nothing else, runs ./run.sh and ./test.sh. Ends with the exit status of the first that fails.
#   FOLDER   keeps the system, and uses it again where there is one; else a temporary folder
#   MIRROR   in the environment: the mirror to take packages from, else the distribution's own
# Takes an hour on two cores and 6 GB. Not part of CI.
set -euo pipefail
suite=${1:-trixie}
root=${2:-}
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

stop() { echo "$*" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || stop "Run this as root: it makes a system of its own (sudo $0 $*)"
for tool in debootstrap git unshare; do
    command -v $tool >/dev/null || stop "$tool is missing: apt-get install debootstrap git util-linux"
done

if [ -z "$root" ]; then
    root=$(mktemp -d)
    chmod 755 "$root"
    # What is mounted in it, is mounted for the processes below only.
    trap 'rm -rf --one-file-system "$root"' EXIT
fi
user=student
home=$root/home/$user
if [ ! -e "$home" ]; then
    script=/usr/share/debootstrap/scripts/$suite # of a suite that is younger than debootstrap: sid's
    [ -e "$script" ] || script=/usr/share/debootstrap/scripts/sid
    mirror=http://deb.debian.org/debian
    components=main
    if [ "$suite" = noble ]; then # its signature is checked where ubuntu-keyring is installed
        script=/usr/share/debootstrap/scripts/gutsy
        mirror=http://archive.ubuntu.com/ubuntu
        components=main,universe
    fi
    debootstrap --variant=minbase --include=sudo --components=$components "$suite" "$root" \
        "${MIRROR:-$mirror}" "$script"
    chroot "$root" useradd --create-home --shell /bin/bash $user
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
    echo "127.0.0.1 localhost $(hostname)" >"$root/etc/hosts"
fi
rm -rf "$home/normscope"
git -c safe.directory='*' clone --quiet --no-hardlinks "$checkout" "$home/normscope"
chroot "$root" chown -R $user: "/home/$user/normscope"

in_the_system='
    root=$0 user=$1
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
    mkdir -m 1777 "$root/tmp/.X11-unix" # as a system that has been started has it
    chroot "$root" su - "$user" -c "cd normscope && ./run.sh --version && ./test.sh"
'
unshare --mount --pid --fork --kill-child bash -euc "$in_the_system" "$root" $user
