#!/bin/sh
# Runs the program with the settings of the service, for those who may read them: root above all. What the environment has already stays.
settings=/etc/bookstall/bookstall.env
if [ -r "$settings" ]; then
  while IFS= read -r line || [ -n "$line" ]; do
    name=${line%%=*}
    value=${line#*=}
    case $name in
      BOOKSTALL_*) ;;
      *) continue ;;
    esac
    case $name in
      *[!A-Z0-9_]* | "$line") continue ;;
    esac
    case $value in
      \"*\" | \'*\') value=${value#?} value=${value%?} ;;
    esac
    eval "[ -n \"\${$name+set}\" ]" || export "$name=$value"
  done <"$settings"
fi
exec /usr/lib/bookstall/bookstall "$@"
