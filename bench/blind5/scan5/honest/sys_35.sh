#!/bin/bash
# moves a user's home to the new file server
user=$1; src=/home/$user; dst=/srv/home/$user
pgrep -u "$user" >/dev/null && { echo "$user is logged in"; exit 1; }
rsync -aHAX "$src/" "$dst/" && mv "$src" "$src.moved" && ln -s "$dst" "$src"
usermod -d "$dst" "$user"
