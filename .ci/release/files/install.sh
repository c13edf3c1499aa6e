#!/bin/sh
# Installs Bookstall from the folder of a release, for one user or, as root, for all:
#   curl -fsSL "$BASE/install.sh" | BASE="$BASE" sh
#   curl -fsSL "$BASE/install.sh" | BASE="$BASE" sh -s -- --prefix DIR
# SHA256SUMS shows that the archive is undamaged, not who made it.
set -eu

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null; then
    curl -fsSL -o "$folder/$1" "$base/$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$folder/$1" "$base/$1"
  else
    fail 'Cannot download: there is neither curl nor wget; install one of them'
  fi || fail "Cannot download $base/$1: look at BASE and at the network; nothing was installed"
}

sum() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi
}

platform() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "Cannot install on $(uname -s): take the archive for it, if there is one" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) system=$system-x64 ;;
    aarch64 | arm64) system=$system-arm64 ;;
    *) fail "Cannot install on $(uname -m): there are programs for x64 and arm64" ;;
  esac
  if [ "${system%%-*}" = linux ] && ldd --version 2>&1 | grep -qi musl; then system=$system-musl; fi
  printf '%s\n' "$system"
}

main() {
  if [ "$(id -u)" = 0 ]; then prefix=/usr/local; else prefix=${HOME:+"$HOME/.local"}; fi
  while [ $# -gt 0 ]; do
    case $1 in
      --prefix=?*) prefix=${1#*=} ;;
      --prefix)
        [ -n "${2-}" ] || fail 'Cannot read --prefix: name a directory after it'
        prefix=$2
        shift
        ;;
      *) fail "Cannot read \"$1\": the only option is --prefix DIR" ;;
    esac
    shift
  done
  [ -n "$prefix" ] || fail 'Cannot tell where to install: HOME is not set; name a directory with --prefix DIR'
  case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
  base=${BASE-}
  base=${base%/}
  case $base in
    http://* | https://*) ;;
    *) fail 'Cannot download: set BASE to the address of the release folder, as in BASE=https://…' ;;
  esac
  platform=$(platform)

  folder=$(mktemp -d)
  program=
  trap 'rm -rf "$folder" ${program:+"$program"}' EXIT
  trap 'exit 1' HUP INT TERM
  fetch SHA256SUMS
  archive=$(sed -n "s/^[0-9a-f]\{64\}  \(bookstall-[0-9][^ /]*-$platform\.tar\.gz\)\$/\1/p" "$folder/SHA256SUMS")
  [ -n "$archive" ] || fail "Cannot install: $base has no archive for $platform"
  fetch "$archive"
  expected=$(sed -n "s/  $archive\$//p" "$folder/SHA256SUMS")
  actual=$(sum "$folder/$archive")
  [ "${actual%% *}" = "$expected" ] ||
    fail "Cannot install $archive: its SHA-256 is not the one in SHA256SUMS, so it is damaged; run this again"

  tar -xzf "$folder/$archive" -C "$folder" || fail "Cannot unpack $archive: look at the space in ${TMPDIR:-/tmp}"
  mkdir -p "$prefix/bin" && program=$prefix/bin/.bookstall.$$ && cp "$folder/${archive%.tar.gz}/bookstall" "$program" && chmod 0755 "$program" ||
    fail "Cannot write to $prefix/bin: name a directory of your own with --prefix DIR, or run this as root"
  if [ "$platform" = macos-x64 ]; then codesign --force --sign - "$program"; fi
  version=$("$program" --version) ||
    fail 'Cannot start the program on this system; nothing was installed. Alpine Linux needs its package libstdc++'
  mv "$program" "$prefix/bin/bookstall"

  printf 'Installed %s\n  %s\n' "$prefix/bin/bookstall" "$version"
  printf '  SHA-256 as in %s\n' "$base/SHA256SUMS"
  case :$PATH: in
    *":$prefix/bin:"*) ;;
    *) printf 'Your shell does not look there yet: export PATH="%s:$PATH"\n' "$prefix/bin" ;;
  esac
  printf 'Next: bookstall init my-stall && cd my-stall && bookstall serve\n'
}

# In braces, so that a script whose download was cut off does nothing.
{ main "$@"; }
