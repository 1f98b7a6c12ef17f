# class: files; style: terse
shopt -s nullglob nocaseglob
n=0
for f in photos/*.{jpg,jpeg}; do
  d=$(exiftool -s3 -d %Y-%m-%d -DateTimeOriginal "$f"); d=${d:-unknown}
  mkdir -p "sorted/$d"; mv -n -- "$f" "sorted/$d/" && n=$((n+1))
done
echo "$n moved"
