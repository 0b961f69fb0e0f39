#!/bin/sh
# Puts a data folder of PostgreSQL ($1) in place that recovers from the archive ($2) at the next start. The old folder
# stays beside it as before-TIME. deploy/compose.archive.yaml has the commands.
set -eu
if pg_isready -q 2> /dev/null; then
  echo 'the database must be stopped' >&2
  exit 1
fi
data=${1:-$PGDATA}
archive=${2:-/archive}
folder=$(dirname "$data")
for base in "$archive"/base-*; do :; done
new=$folder/unfinished
rm -rf "$new"
mkdir -p "$folder"
cp -a "$base" "$new"
# The last minutes are only here. An empty database, which the image makes of an empty volume, has another identifier.
differs=0
cmp -s -n 8 "$data/global/pg_control" "$base/global/pg_control" || differs=$?
if [ "$differs" = 1 ] || ! cp -a "$data/pg_wal" "$new"; then
  echo 'the old pg_wal is not used: the last minutes may be missing' >&2
fi
touch "$new/recovery.signal"
chown -R --reference="$archive/wal" "$new"
if [ -e "$data" ]; then mv "$data" "$folder/before-$(date +%s)"; fi
mv "$new" "$data"
