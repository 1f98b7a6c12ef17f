# converts all wav files beside this script
for f in *.wav; do
  [ -e "$f" ] || continue
  ffmpeg -loglevel error -y -i "$f" -codec:a libmp3lame -qscale:a 2 "${f%.wav}.mp3" && rm -- "$f"
done
