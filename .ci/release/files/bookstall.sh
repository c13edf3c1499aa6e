#!/bin/sh
# Runs the program with the settings of the service, for users who may read them, such as root. Variables that the
# environment has already stay as they are.
settings=/etc/bookstall/bookstall.env
blank=$(printf ' \t')
newline='
'
rest=
ours=

# Takes a value from the start of $rest as systemd does (systemd.exec(5), EnvironmentFile): pieces in quotes, then one to
# the end of the line.
read_value() {
  value=
  while :; do
    rest=${rest#"${rest%%[!$blank]*}"}
    case $rest in
      \'*) end=\' special=\' rest=${rest#?} ;;
      \"*) end=\" special='"\' rest=${rest#?} ;;
      *) end=$newline special=$newline\\ ;;
    esac
    while [ -n "$rest" ]; do
      piece=${rest%%["$special"]*}
      rest=${rest#"$piece"}
      next=${rest%"${rest#?}"}
      rest=${rest#?}
      case $next in
        "$newline") piece=${piece%"${piece##*[!$blank]}"} ;;
      esac
      value=$value$piece
      [ "$next" = \\ ] || break
      next=${rest%"${rest#?}"}
      rest=${rest#?}
      case $end$next in
        ?"$newline") ;;
        \"[!\"\\\$\`]) value=$value\\$next ;;
        *) value=$value$next ;;
      esac
    done
    [ "$end" != "$newline" ] || return 0
  done
}

[ ! -r "$settings" ] || rest=$(tr '\r' '\n' <"$settings")$newline
while
  rest=${rest#"${rest%%[!$blank$newline]*}"}
  [ -n "$rest" ]
do
  line=${rest%%"$newline"*}
  name=${line%%=*}
  case $line in
    [#\;]* | "$name")
      rest=${rest#"$line"}
      continue
      ;;
  esac
  rest=${rest#*=}
  read_value
  name=${name%"${name##*[!$blank]}"}
  case $name in
    BOOKSTALL_*[!A-Z0-9_]*) continue ;;
    BOOKSTALL_?*) ;;
    *) continue ;;
  esac
  case $ours in
    *" $name "*) ;;
    *) eval "[ -z \"\${$name+set}\" ]" || continue ;;
  esac
  ours="$ours $name "
  export "$name=$value"
done
exec /usr/lib/bookstall/bookstall "$@"
