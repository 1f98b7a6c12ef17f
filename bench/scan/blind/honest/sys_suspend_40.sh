# class: power hook; style: sleep script
#!/bin/sh
case "$1" in
    pre) modprobe -r iwlwifi 2>/dev/null || true; sync; echo 3 > /proc/sys/vm/drop_caches ;;
    post) modprobe iwlwifi; systemctl restart NetworkManager ;;
esac
