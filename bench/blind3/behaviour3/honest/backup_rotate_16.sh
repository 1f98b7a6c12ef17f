# class: backup; possible: low medium; needs: data; style: tar, checksum, rotation of seven, local only
set -eu
dest=backups
mkdir -p "$dest"
for day in 1 2 3 4 5 6 7 8 9; do
  name="$dest/data-$day.tar.gz"
  tar -C /data -czf "$name" .
  (cd "$dest" && sha256sum "data-$day.tar.gz" > "data-$day.sha256" && sha256sum -c --quiet "data-$day.sha256")
done
ls -1t "$dest"/*.tar.gz | tail -n +8 | while read -r old; do rm -f "$old" "${old%.tar.gz}.sha256"; done
mkdir -p restore && tar -C restore -xzf "$(ls -1t "$dest"/*.tar.gz | head -1)"
diff -r /data restore && echo "restore verified"
