#!/bin/sh
# Makes one checked backup of the SQLite inbox a day, in the folder $1, and keeps the newest BACKUP_COPIES (14).
# Run it in the site's folder, as the site's user, with the site's DATABASE_URL.
set -eu
umask 077
PATH="$PWD/node_modules/.bin:$PATH"
copies=${BACKUP_COPIES:-14}
if ! [ "$copies" -gt 0 ]; then
  echo 'BACKUP_COPIES must be a number above 0' >&2
  exit 1
fi
file=$1/inbox-$(date +%F).sqlite
if [ -e "$file" ]; then exit; fi
# A killed backup leaves such a file, and it contains messages.
rm -f "$1"/inbox-*.unfinished
node server/inbox/cli.ts backup "$file"
# Deletes by count and not by age, so that a clock that is years ahead does not delete all backups.
find "$1" -name 'inbox-*.sqlite' | sort | head -n "-$copies" | xargs -r rm --
