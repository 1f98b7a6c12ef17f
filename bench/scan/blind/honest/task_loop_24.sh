# class: files, images; style: loop
mkdir -p thumbs
for f in photos/*.jpg; do
    convert "$f" -resize 320x "thumbs/$(basename "$f")"
done
du -sh thumbs
