# class: backup; style: rsync with rotation
set -eu
src=/srv/data/
dst=/mnt/backup
today=$(date +%F)
rsync -a --delete --link-dest="$dst/latest" "$src" "$dst/$today/"
ln -sfn "$today" "$dst/latest"
find "$dst" -maxdepth 1 -type d -name '20*' -mtime +30 -exec rm -rf {} +
