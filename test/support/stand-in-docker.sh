#!/bin/sh
# Stands in for the program `docker` in the folder PLAY. It writes each call, after the build that the call is about, into
# the file `calls`, and has a file for each image and each container. The first line of `faults` whose pattern is in the
# call decides instead: PATTERN, exit status, `kill` or `kill-after`, and output, separated by tabs. With the file `real`
# the programs of the containers run here, over PLAY/data and PLAY/backups.
set -u
env=$PLAY/host/.env
setting() {
  while IFS= read -r line; do
    case $line in "$1="*) line=${line#*=} && line=${line#\'} && echo "${line%\'}" ;; esac
  done <"$env" 2>/dev/null
}
words=$*
case $words in *"
"*) words=$(printf %s "$words" | tr -s ' \n' ' ') ;; esac
call="${REVISION:-$(setting REVISION)} $words"
printf '%s\n' "$call" >>"$PLAY/calls"
image=rg-website:${call%% *}
kill_caller() { kill -9 "$(cat "$PLAY/pid")"; }
tab=$(printf '\t')
after=
while IFS=$tab read -r pattern status output; do
  case $call in *"$pattern"*)
    case $status in
    kill) kill_caller && exit 1 ;;
    kill-after) after=yes ;;
    *) printf %b "$output" && exit "$status" ;;
    esac
    break
    ;;
  esac
done <"$PLAY/faults"

# Runs a program of the image; its paths are those of the container.
run_program() {
  [ -e "$PLAY/real" ] || return 0
  for word; do
    shift
    set -- "$@" "$(printf %s "$word" | sed "s|/site/|$IMAGE/|g; s#\(^\|[^.[:alnum:]]\)/\(data\|backups\)\b#\1$PLAY/\2#g")"
  done
  cd "$IMAGE" && env SMTP_URL="$(setting SMTP_URL)" MAIL_FROM="$(setting MAIL_FROM)" MAIL_TO="$(setting MAIL_TO)" \
    DATABASE_URL="sqlite:$PLAY/data/inbox.sqlite" "$@"
}
compose() {
  verb=$1
  shift
  for last; do :; done
  case "$verb $*" in
  'config '*) [ "$(setting SITE_HOST)" ] && sed "s/='\(.*\)'\$/=\1/" "$env" ;;
  'ps '*--quiet*) [ ! -e "$PLAY/runs/$last" ] || echo id ;;
  'ps '*{{.Image}}*) cat "$PLAY/containers/$last" ;;
  'ps '*) ls "$PLAY/runs" | sed 's/$/ running healthy/' ;;
  'up '*) echo "$image" >"$PLAY/containers/$last" && touch "$PLAY/runs/$last" ;;
  'stop '*) for service; do rm -f "$PLAY/runs/$service"; done ;;
  *' caddy cat '*) cat "$PLAY/host/Caddyfile" ;;
  *' database '*) ;;
  'exec '* | 'run '*)
    while case $1 in -*) true ;; *) false ;; esac do shift; done
    shift
    run_program "$@"
    ;;
  esac
}

case "$*" in
# No registry has the image of the site.
'compose -f - '*) cat >/dev/null && case ${*#*missing} in ' caddy' | ' caddy database') ;; *) false ;; esac ;;
compose*) shift && compose "$@" ;;
build*) cat >/dev/null && touch "$PLAY/images/${image#*:}" ;;
'image inspect '*) [ -e "$PLAY/images/${3#*:}" ] ;;
'image ls '*) ls "$PLAY/images" ;;
run*) shift 5 && run_program "$@" ;;
info*) echo "$PLAY" ;;
esac
status=$?
[ "$after" != yes ] || kill_caller
exit $status
