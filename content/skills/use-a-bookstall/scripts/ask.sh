#!/bin/sh
# Asks a book of a Bookstall one question; prints the answer's text and, below it, the citations.
# Usage: ask.sh BOOK_ID QUESTION...      Environment: BOOKSTALL_URL, BOOKSTALL_KEY
# Exit: 0 answered (also "not covered") · 1 refused, failed or cut off · 2 usage · 4 no key or a key refused
set -u
export LC_ALL=C

[ $# -ge 2 ] || { echo 'usage: ask.sh BOOK_ID QUESTION...' >&2; exit 2; }
[ -n "${BOOKSTALL_URL:-}" ] || { echo 'Cannot ask: set BOOKSTALL_URL to the address of the stall' >&2; exit 2; }
[ -n "${BOOKSTALL_KEY:-}" ] || { echo 'Cannot ask: set BOOKSTALL_KEY; a question needs a key' >&2; exit 4; }
case "$BOOKSTALL_URL$*" in
  *svc_????????*) echo 'Cannot ask: the address or the question holds a key; keep it in BOOKSTALL_KEY alone' >&2; exit 2 ;;
esac

book=$1
shift
umask 077
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# printf is a builtin of sh, so neither key nor question shows up in the list of processes.
json_text() {
  printf '%s\n' "$1" | awk '
    BEGIN { for (i = 1; i < 32; i++) code[sprintf("%c", i)] = sprintf("\\u%04x", i); code["\""] = "\\\""; code["\\"] = "\\\\" }
    NR > 1 { printf "\\n" }
    { for (i = 1; i <= length($0); i++) { c = substr($0, i, 1); if (c in code) c = code[c]; printf "%s", c } }'
}
printf '{"book_id":"%s","query":"%s"}' "$(json_text "$book")" "$(json_text "$*")" >"$work/body"

{
  printf 'Authorization: Bearer %s\n' "$BOOKSTALL_KEY" |
    curl -sS -N --max-time 300 -D "$work/head" -H @- -H 'Content-Type: application/json' \
      --data-binary "@$work/body" "${BOOKSTALL_URL%/}/api/agent/fetch"
  echo $? >"$work/curl"
} | awk -v head="$work/head" '
  # Flattens one JSON value into value["a.0.b"]; strings are decoded to UTF-8 bytes.
  function parse(key,   c, n, name, from) {
    blank(); c = substr(json, at, 1)
    if (c == "{") {
      at++; blank()
      while (at <= length(json) && substr(json, at, 1) != "}") {
        name = text(); blank(); at++; parse(key == "" ? name : key "." name); blank()
        if (substr(json, at, 1) == ",") { at++; blank() }
      }
      at++
    } else if (c == "[") {
      at++; blank()
      while (at <= length(json) && substr(json, at, 1) != "]") {
        parse(key "." n++); blank()
        if (substr(json, at, 1) == ",") at++
      }
      at++; value[key ".length"] = n + 0
    } else if (c == "\"") value[key] = text()
    else {
      for (from = at; at <= length(json) && substr(json, at, 1) !~ /[],} \t\r\n]/; at++);
      value[key] = substr(json, from, at - from)
      if (at == from) at++
    }
  }
  function blank() { while (substr(json, at, 1) ~ /[ \t\r\n]/) at++ }
  function text(   out, c, n, rest) {
    for (at++; at <= length(json); ) {
      rest = substr(json, at, 512)
      if (match(rest, /^[^"\\]+/)) { out = out substr(rest, 1, RLENGTH); at += RLENGTH; continue }
      c = substr(json, at++, 1)
      if (c == "\"") break
      c = substr(json, at++, 1)
      if (c != "u") { out = out ((c in plain) ? plain[c] : c); continue }
      n = hex4()
      if (n >= 55296 && n < 56320 && substr(json, at, 2) == "\\u") { at += 2; n = 65536 + (n - 55296) * 1024 + hex4() - 56320 }
      out = out utf8(n)
    }
    return out
  }
  function hex4(   n, i) { for (i = 0; i < 4; i++) n = n * 16 + index("0123456789abcdef", tolower(substr(json, at++, 1))) - 1; return n }
  function utf8(n) {
    if (n < 1) return ""
    if (n < 128) return sprintf("%c", n)
    if (n < 2048) return sprintf("%c%c", 192 + int(n / 64), 128 + n % 64)
    if (n < 65536) return sprintf("%c%c%c", 224 + int(n / 4096), 128 + int(n / 64) % 64, 128 + n % 64)
    return sprintf("%c%c%c%c", 240 + int(n / 262144), 128 + int(n / 4096) % 64, 128 + int(n / 64) % 64, 128 + n % 64)
  }
  # A book is text by strangers: control characters other than tab and newline could drive the terminal.
  function safe(s) { gsub(/[\001-\010\013-\037\177]/, "", s); return s }
  function read(s) { split("", value); json = s; at = 1; parse("") }
  function fail(line) { fflush(); print safe(line) > "/dev/stderr"; failed = 1 }
  function refused(   line, status, wait) {
    while ((getline line < head) > 0) {
      sub(/\r$/, "", line)
      if (line ~ /^HTTP\//) { split(line, part, " "); status = part[2]; wait = "" }
      if (tolower(line) ~ /^retry-after:/) { sub(/^[^:]*: */, "", line); wait = line }
    }
    if (status == "") return
    read(body)
    line = ("error" in value) ? value["code"] ": " value["error"] : "HTTP " status " without an error body"
    if (wait != "") line = line " (retry after " wait " s)"
    fail(line)
    unknown = status == 401
  }
  function dispatch(   i) {
    if (event == "chunk") { read(data); printf "%s", safe(value["text"]); fflush() }
    if (event == "error") { read(data); ended = 1; printf "\n"; fail(value["code"] ": " value["error"]) }
    if (event == "done") {
      read(data); ended = 1; printf "\n"
      for (i = 0; i < value["citations.length"]; i++) cite("citations." i ".")
      printf "\n(%s by %s%s)\n", value["outcome"], safe(value["engine"]), (value["truncated"] == "true" ? ", cut short" : "")
    }
    event = ""; data = ""
  }
  function cite(c,   heading) {
    heading = value[c "heading"]
    heading = (heading == "" || heading == "null") ? "" : " · " heading
    printf "\n[%s] %s%s %s-%s\n", value[c "n"], safe(value[c "path"]), safe(heading), value[c "start"], value[c "end"]
    gsub(/\n/, "\n    ", value[c "quote"])
    printf "    %s\n", safe(value[c "quote"])
  }
  BEGIN { plain["n"] = "\n"; plain["t"] = "\t"; plain["r"] = "\r"; plain["b"] = "\b"; plain["f"] = "\f" }
  { sub(/\r$/, "") }
  /^event:/ { streaming = 1; event = $0; sub(/^event: ?/, "", event); next }
  /^data:/ { streaming = 1; sub(/^data: ?/, ""); data = data (data == "" ? "" : "\n") $0; next }
  /^$/ { dispatch(); next }
  /^:/ { streaming = 1; next }
  { body = body $0 "\n" }
  END {
    if (!streaming) refused()
    else if (!ended) { printf "\n"; fail("The answer was cut off before its end: ask again") }
    exit (unknown ? 4 : (failed || !ended))
  }'
result=$?
sent=$(cat "$work/curl")
[ "$result" -ne 0 ] || [ "$sent" -eq 0 ] || result=1
exit "$result"
