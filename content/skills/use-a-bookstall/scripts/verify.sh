#!/bin/sh
# Checks an installed item against the digest in its .svc-install record, or against one you give.
# Usage: verify.sh FOLDER [DIGEST]       Exit: 0 equal · 1 different · 2 usage
set -u
export LC_ALL=C

[ $# -ge 1 ] && [ -d "$1" ] || { echo 'usage: verify.sh FOLDER [DIGEST]' >&2; exit 2; }
expected=${2:-}
cd -- "$1" || exit 2
if [ -z "$expected" ]; then
  [ -f .svc-install ] || { echo "Cannot verify \"$1\": it holds no .svc-install; give the digest" >&2; exit 2; }
  expected=$(sed -n 's/.*"digest":"\([^"]*\)".*/\1/p' .svc-install)
fi
expected=${expected#sha256:}

if command -v sha256sum >/dev/null; then sum() { sha256sum; }; else sum() { shasum -a 256; }; fi
found=$(
  find . -type f ! -path ./.svc-install | sed 's|^\./||' | sort | while IFS= read -r path; do
    mode=0644
    [ -x "$path" ] && mode=0755
    printf '%s  %s %s\n' "$(sum <"$path" | cut -c1-64)" "$mode" "$path"
  done | sum | cut -c1-64
)
if [ "$found" = "$expected" ]; then
  echo "ok sha256:$found"
else
  echo "Cannot verify \"$1\": its files hash to $found, the digest is ${expected:-missing}; install it again into an empty folder" >&2
  exit 1
fi
