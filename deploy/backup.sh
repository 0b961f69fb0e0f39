#!/bin/sh
# Makes a checked backup in the folder $2: `nightly` that of this day, unless it is there; `manual` another one.
# Then deletes what it made of the same kind more than BACKUP_DAYS (14) ago by the date in the name, but never the last
# three. Without PGDATABASE it copies the SQLite inbox; run it in the site's folder, with the site's DATABASE_URL.
set -eu
umask 077
export LC_ALL=C
kind=$1
folder=$2
days=${BACKUP_DAYS:-14}
case $days in
'' | *[!0-9]*)
  echo 'BACKUP_DAYS must be a number' >&2
  exit 1
  ;;
esac
case $kind in
nightly) name=$kind-$(date +%F) ;;
manual) name=$kind-$(date +%F-%H%M%S) ;;
*)
  echo "usage: $0 nightly|manual FOLDER" >&2
  exit 2
  ;;
esac
suffix=${PGDATABASE:+.dump}
suffix=${suffix:-.sqlite}
file=$folder/$name$suffix
if [ "$kind" = nightly ] && [ -e "$file" ]; then exit; fi

make_backup() {
  if [ "$suffix" = .sqlite ]; then
    node server/inbox/cli.ts backup "$file"
  else
    # Without the rows of the tables that hold full network addresses and Idempotency-Keys.
    pg_dump --format=custom --exclude-table-data=receipts --exclude-table-data=hits --file="$file.unfinished" &&
      pg_restore --list "$file.unfinished" >/dev/null && sync "$file.unfinished" && mv "$file.unfinished" "$file"
  fi
}

# A killed or failed backup leaves such a file, which contains messages and fills the disk.
remove_unfinished() { rm -f "$folder/$kind-"*.unfinished; }

remove_unfinished
if ! make_backup; then
  remove_unfinished
  echo "backup failed: $file" >&2
  exit 1
fi
echo "backup done: $file"

oldest=$(date -d "$days days ago" +%Y%m%d)
names=$kind-$(printf %s "${name#*-}" | sed 's/[0-9]/[0-9]/g')$suffix
cd "$folder"
# The newest three stay, so that a clock that is years ahead does not delete all backups.
find . -maxdepth 1 -type f -name "$names" | sort | head -n -3 | while read -r old; do
  made=$(printf %s "$old" | tr -cd 0-9 | cut -c 1-8)
  if [ "$made" -lt "$oldest" ]; then rm -f "$old"; fi
done
