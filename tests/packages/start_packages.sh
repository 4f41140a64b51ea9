#!/usr/bin/env bash
# start_packages.sh SUITE PACKAGE...: installs each package (a .deb of this release, or a portable .tar.gz)
# in a bare Debian of its own (debootstrap --variant=minbase SUITE), computes, draws a picture and opens
# a window there, and says how long each step took. Then what checks packages looks at a .deb.
#   tests/packages/start_packages.sh bookworm out/*.deb out/*.tar.gz
# As root; needs debootstrap, xvfb and the network. The display is this machine's, so that in the bare
# system is nothing but what the package brings; to a .tar.gz, OpenGL is added.
set -euo pipefail
suite=$1
shift
work=$(mktemp -d /var/tmp/normscope-packages-XXXX)
display=
window=
clean_up() {
    for process in $window $display; do kill "$process" || true; done
    for mounted in $(awk -v at="$work/" 'index($2, at) == 1 { print $2 }' /proc/mounts | tac); do
        umount "$mounted"
    done
    rm -rf --one-file-system "$work"
}
trap clean_up EXIT

mkdir "$work/base"
debootstrap --variant=minbase "$suite" "$work/base" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
Xvfb -noreset -displayfd 3 -ac -screen 0 1600x1000x24 3>"$work/display" 2>/dev/null &
display=$!
until [ -s "$work/display" ]; do sleep 0.1; done
number=$(cat "$work/display")

timed() { # timed WHAT COMMAND...: fails with the command's output
    local what=$1 from=$EPOCHREALTIME
    shift
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; echo "$name: failed: $what"; exit 1; }
    printf '%-45s %6.1f s  %s\n' "$name" "$(awk "BEGIN { print $EPOCHREALTIME - $from }")" "$what"
}
first_frame() {
    "${inside[@]}" "$program" --example outlier --trace-frames /root/frames &
    window=$!
    until [ -s "$root/root/frames" ]; do
        kill -0 "$window" || return 1
        sleep 0.05
    done
}

asks_for_opengl() {
    ! "${inside[@]}" "$program" --version >"$work/said" 2>&1
    grep "apt install libgl1" "$work/said"
}
# In the system: what the desktop makes of the package.
desktop='
    desktop-file-validate /usr/share/applications/normscope.desktop
    appstreamcli validate --no-net /usr/share/metainfo/*.normscope.metainfo.xml
    man --warnings normscope >/dev/null
    for file in /root/x.normscope.json /root/x.npy /root/x.npz /root/x.safetensors; do
        echo >$file
        type=$(gio info -a standard::content-type $file | sed -n "s/.*content-type: //p")
        echo "$file: $type"
        gio mime $type | grep "Default.*normscope.desktop"
    done'

for package in "$@"; do
    name=$(basename "$package")
    root=$work/$name.root
    inside=(chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root "DISPLAY=:$number"
        DEBIAN_FRONTEND=noninteractive LIBGL_ALWAYS_SOFTWARE=1)
    cp -a "$work/base" "$root"
    mount -t proc proc "$root/proc"
    mkdir -p "$root/tmp/.X11-unix"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    "${inside[@]}" apt-get update -qq
    cp "$package" "$root/root/"
    case $name in
    *.deb)
        program=normscope
        timed "download what it depends on" "${inside[@]}" apt-get install -y --download-only "/root/$name"
        timed "install" "${inside[@]}" apt-get install -y "/root/$name"
        ;;
    *)
        program=/opt/${name%.tar.gz}/bin/normscope
        timed "unpack" "${inside[@]}" tar -xzf "/root/$name" -C /opt
        timed "say that OpenGL is missing" asks_for_opengl
        "${inside[@]}" apt-get install -y -qq --no-install-recommends libgl1 libgl1-mesa-dri >"$work/log" 2>&1
        ;;
    esac
    printf '1,2,3\n4,5,7\n' >"$root/root/x.csv"
    timed "compute" "${inside[@]}" "$program" compute --norm layer --x /root/x.csv --out /root/out
    [ -s "$root/root/out/y.npy" ]
    timed "window, to its first frame" first_frame
    kill "$window"
    wait "$window" || [ $? = 143 ]
    window=
    timed "picture" "${inside[@]}" "$program" screenshot --example outlier --out /root/picture.png
    ! grep . "$work/log" || { echo "$name: failed: it has something to complain of"; exit 1; }
    cp "$root/root/picture.png" "$package.$suite.png"
    if [[ $name == *.deb ]]; then
        "${inside[@]}" apt-get install -y -qq --no-install-recommends lintian man-db appstream \
            desktop-file-utils shared-mime-info libglib2.0-bin >"$work/log" 2>&1
        timed "lintian" "${inside[@]}" lintian --allow-root --fail-on error,warning "/root/$name"
        timed "manual page, types of files, AppStream" "${inside[@]}" sh -euc "$desktop"
    fi
    echo "$name: works on $suite; what it shows: $package.$suite.png"
done
