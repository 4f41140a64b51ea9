#!/bin/bash
# Builds NormScope for a browser and serves it: ./web.sh
#   build/web/page/      a folder for any static host
#   build/web/normscope.html   one file that opens from disk
# Needs Debian 13. On an older one, --in-trixie does the same in a bare Debian 13 made with debootstrap.
# --build: serve nothing. --test: drive both in Chromium instead. --speed: measure the page there.
# Ends with 75 where what it needs cannot be had.
set -euo pipefail
cd "$(dirname "$0")"
root=$PWD
web=$root/build/web
suite=trixie
port=${NORMSCOPE_PORT:-8000}

export DEBIAN_FRONTEND=noninteractive

need() { "$@" || exit 75; }

in_trixie() {
  local system=${NORMSCOPE_TRIXIE:-$root/build/$suite}
  need unshare -m true
  command -v debootstrap > /dev/null || need apt-get install -y debootstrap
  if [ ! -d "$system/normscope" ]; then # what was cut off is made anew
    [ ! -d "$system/debootstrap" ] || rm -rf "$system"
    need debootstrap --variant=minbase $suite "$system" http://deb.debian.org/debian
  fi
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  mkdir -p "$system/normscope"
  exec unshare -m bash -c '
    mount --bind "$1" "$2/normscope" && mount --bind /dev "$2/dev" && mount -t proc proc "$2/proc" &&
    exec chroot "$2" /normscope/web.sh --build' bash "$root" "$system"
}

serve=yes
tests=''
speed=''
for argument; do
  case $argument in
    --build) serve='' ;;
    --test) serve='' tests=yes ;;
    --speed) serve='' speed=yes ;;
    --in-trixie) (in_trixie) ;;
    *) echo "web.sh: expected --build, --test, --speed or --in-trixie, found $argument" >&2; exit 2 ;;
  esac
done

if [[ " $* " != *" --in-trixie "* ]]; then
  if [ "$(cut -d. -f1 /etc/debian_version)" -lt 13 ] 2> /dev/null; then
    echo "web.sh: this Debian's emscripten is too old: use Debian 13, or ./web.sh --in-trixie" >&2
    exit 1
  fi
  packages="emscripten cmake ninja-build python3 libeigen3-dev nlohmann-json3-dev libexpected-dev
    libcli11-dev fonts-dejavu-core fonts-inter python3-fonttools dpkg-dev pkg-config ca-certificates"
  # shellcheck disable=SC2086
  dpkg -s $packages > /dev/null 2>&1 || {
    need apt-get update
    need apt-get install -y --no-install-recommends $packages
  }
  sources=$web/sources
  mkdir -p "$sources"
  if [ ! -e "$sources/complete" ]; then
    echo "deb-src http://deb.debian.org/debian $suite main" > /etc/apt/sources.list.d/normscope-web.list
    need apt-get update
    # The upstream archives alone: Debian's patches are about its own builds.
    (cd "$sources" && need apt-get source --tar-only imgui zlib fmtlib freetype highway &&
      for archive in *.orig.tar.*; do tar xf "$archive"; done && touch complete)
  fi
  # What the program reads, without what is for who writes it, and fonts of the letters that it shows: those of
  # its sources and texts, and what app/platform/fonts.cpp asks for by number.
  data=$web/data.new
  rm -rf "$data"
  mkdir -p "$data"/fonts/{opentype/inter,truetype/dejavu}
  cp -r assets/examples assets/lessons assets/texts assets/languages "$data/"
  rm "$data"/*/*.md
  sed -i '/^#:/d' "$data"/languages/*.po
  find app core assets -name '*.cpp' -o -name '*.h' -o -name '*.json' -o -name '*.po' | xargs cat > "$web/letters"
  letters='U+0020-007E,U+00A0-017F,U+02C6,U+0302-0304,U+0384-03F5,U+2010-2011,U+20AC,U+FFFD'
  for face in opentype/inter/Inter-{Regular,Medium,SemiBold}.otf truetype/dejavu/DejaVuSans{,-Bold,Mono}.ttf; do
    python3 -m fontTools.subset "/usr/share/fonts/$face" --text-file="$web/letters" \
      --unicodes=$letters --layout-features='' --no-hinting --output-file="$data/fonts/$face"
  done
  if ! diff -r "$data" "$web/data" > /dev/null 2>&1; then
    rm -rf "$web/data" "$web/app/normscope.js" # so that it is linked with the new ones
    mv "$data" "$web/data"
  fi
  emcmake cmake -S . -B "$web" -G Ninja -DCMAKE_BUILD_TYPE=Release -DNORMSCOPE_TESTS=OFF \
    -DNORMSCOPE_BENCH=OFF -DNORMSCOPE_BATCHES=ON -DNORMSCOPE_SOURCES="$sources" \
    -DCMAKE_CXX_FLAGS_RELEASE='-Os -DNDEBUG' -DCMAKE_C_FLAGS_RELEASE='-Os -DNDEBUG'
  cmake --build "$web" --target normscope normscope_speed
  mkdir -p "$web/page"
  cp app/platform/os/web_page.html "$web/page/index.html"
  cp "$web/app/normscope.js" "$web/app/normscope.wasm" "$web/page/"
  python3 app/platform/os/web_one_file.py "$web/page" "$web/normscope.html"
  packed=$(cat "$web"/page/* | gzip -9 | wc -c)
  echo "packed: $packed bytes"
  [ "$packed" -le 3000000 ] || { echo "web.sh: the page has more than 3 MB" >&2; exit 1; }
fi
du -sh "$web/page" "$web/normscope.html"
if [ "$tests$speed" ]; then
  for tool in chromium nodejs npm pdftotext:poppler-utils; do
    command -v ${tool%:*} > /dev/null || need apt-get install -y --no-install-recommends "${tool#*:}"
  done
  [ -e "$web/node_modules/playwright-core" ] || need npm install --prefix "$web" playwright-core
  export NORMSCOPE_WEB=$web
  # Compared where they are there.
  desktop=$root/build/release/app/normscope
  [ ! -x "$desktop" ] || export NORMSCOPE_DESKTOP=$desktop
  native=$root/build/release/tests/web/normscope_speed
  [ ! -x "$native" ] || export NORMSCOPE_SPEED=$native
  [ -z "$tests" ] || node --test tests/web/page_test.mjs
  [ -z "$speed" ] || node tests/web/speed.mjs
fi
if [ "$serve" ]; then
  echo "http://localhost:$port/"
  exec python3 -m http.server --bind localhost --directory "$web/page" "$port"
fi
