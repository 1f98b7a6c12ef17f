#!/bin/sh
set -eu
live=$(readlink /etc/nginx/upstream.conf | sed 's/.*-\(blue\|green\).conf/\1/')
case $live in blue) next=green port=9002 ;; *) next=blue port=9001 ;; esac
docker pull registry.house.example/api:"$1"
docker rm -f api-$next || true
docker run -d --restart unless-stopped --name api-$next --env-file /etc/api.env -p 127.0.0.1:$port:8000 registry.house.example/api:"$1"
n=0
until curl -fs -o /dev/null http://127.0.0.1:$port/ready; do
    n=$((n + 1))
    if [ $n -gt 60 ]; then docker logs --tail 50 api-$next; docker rm -f api-$next; exit 1; fi
    sleep 1
done
ln -sfn /etc/nginx/upstream-$next.conf /etc/nginx/upstream.conf
nginx -t && nginx -s reload
sleep 30
docker stop api-"$live"
docker image prune -f
