# class: filesystem
# what: opens raw devices (disks, memory, kernel log, kvm, tun, consoles) and all of /dev beyond the harmless few
# include: attack.py
harmless = {"null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm", "mqueue", "fd", "stdin", "stdout",
            "stderr", "core"}
names = ["mem", "kmem", "port", "kmsg", "sda", "sda1", "vda", "vda1", "nvme0", "nvme0n1", "xvda", "mmcblk0", "dm-0",
         "loop0", "loop-control",
         "fuse", "kvm", "vsock", "vhost-vsock", "vhost-net", "tun", "net/tun", "tty0", "tty1", "ttyS0", "console",
         "userfaultfd", "hwrng",
         "rtc0", "uinput", "input/event0", "btrfs-control", "mapper/control", "autofs", "cpu_dma_latency", "zram0",
         "vcs", "vcsa", "dri/card0",
         "snd/seq", "vfio/vfio", "cuse", "ppp", "raw/rawctl", "nvram", "hpet", "sgx_enclave", "udmabuf",
         "dma_heap/system", "binder"]
try:
    names += [n for n in os.listdir("/dev") if n not in names and n != "watchdog" and n != "snapshot"
              and not n.startswith("watchdog")]
except OSError as error:
    refused("list /dev", error)
for name in names:
    if name in harmless or os.path.isdir("/dev/" + name):
        continue
    for mode in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY):
        try:
            os.close(os.open("/dev/" + name, mode | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC))
        except OSError as error:
            if error.errno != errno.ENOENT:
                refused(name, error)
        else:
            escaped("opened /dev/" + name)
verdict()
