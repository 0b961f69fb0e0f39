#!/bin/sh
# Runs in the container `backup`. Without PGDATABASE the inbox is SQLite's.
#   nightly FOLDER   makes a checked backup, unless that of this day is there
#   manual FOLDER    makes another one
#   erased FOLDER    adds the references of erased messages to the list `erased`, for a restore; a backup does so too
# A backup more than BACKUP_DAYS old by the date in its name goes, but never the last three of its kind.
set -eu
umask 077
export LC_ALL=C
kind=$1
folder=$2
days=${BACKUP_DAYS:-14}
case $kind in
nightly) name=nightly-$(date +%F) ;;
manual) name=manual-$(date +%F-%H%M%S) ;;
erased) name= ;;
*) exit 2 ;;
esac
suffix=${PGDATABASE:+.dump}
suffix=${suffix:-.sqlite}
file=$folder/$name$suffix
if [ "$kind" = nightly ] && [ -e "$file" ]; then exit; fi

list_erased() {
  sql="SELECT subject FROM audit WHERE action = 'erase'"
  if [ "$suffix" = .dump ]; then
    psql -qAtc "$sql"
  else
    node --input-type=module -e '
      import { DatabaseSync } from "node:sqlite"
      const store = new DatabaseSync(process.env.DATABASE_URL.replace("sqlite:", ""), { readOnly: true })
      for (const { subject } of store.prepare(process.argv[1]).all()) console.log(subject)' "$sql"
  fi
}
note_erased() {
  list=$folder/$kind-list.unfinished
  touch "$folder/erased" && list_erased >"$list.1.unfinished" && sort -u "$folder/erased" "$list.1.unfinished" >"$list" &&
    sync "$list" && mv "$list" "$folder/erased"
}
make_backup() {
  if [ "$suffix" = .dump ]; then
    # Without the rows of the tables that hold full network addresses.
    pg_dump --format=custom --exclude-table-data=receipts --exclude-table-data=hits --file="$file.unfinished" &&
      pg_restore --list "$file.unfinished" >/dev/null && sync "$file.unfinished" && mv "$file.unfinished" "$file"
  else
    node server/inbox/cli.ts backup "$file"
  fi
}
# A killed or failed call leaves such files, which contain messages and fill the disk.
remove_unfinished() { rm -f "$folder/$kind-"*.unfinished; }

remove_unfinished
if ! note_erased || { [ "$name" ] && ! make_backup; }; then
  remove_unfinished
  echo "backup failed: $kind" >&2
  exit 1
fi
remove_unfinished
[ "$name" ] || exit 0
echo "backup done: $file"

oldest=$(date -d "$days days ago" +%Y%m%d)
names=$kind-$(printf %s "${name#*-}" | sed 's/[0-9]/[0-9]/g')$suffix
cd "$folder"
# The newest three stay, so that a clock that is years ahead does not delete all backups.
find . -maxdepth 1 -type f -name "$names" | sort | head -n -3 | while read -r old; do
  made=$(printf %s "$old" | tr -cd 0-9 | cut -c 1-8)
  if [ "$made" -lt "$oldest" ]; then rm -f "$old"; fi
done
