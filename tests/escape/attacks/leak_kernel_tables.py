# class: leaks
# what: reads kernel tables of /proc that a sandbox must hide: keys, kcore, slabinfo, sched_debug, kmsg, addresses
# include: attack.py
hidden = ["kcore", "keys", "key-users", "timer_list", "timer_stats", "sched_debug", "latency_stats", "kpagecount",
          "kpageflags", "kpagecgroup", "slabinfo",
          "vmallocinfo", "kmsg", "acpi", "scsi/scsi", "asound", "interrupts", "sysrq-trigger", "allocinfo",
          "pagetypeinfo"]
told = []
for name in hidden:
    try:
        fd = os.open("/proc/" + name, os.O_RDONLY | os.O_NONBLOCK)
        text = os.read(fd, 4096)
        os.close(fd)
    except OSError as error:
        if error.errno != errno.ENOENT:
            refused(name, error)
        continue
    if text.strip():
        told.append(name)
        continue
    notes.append(name + "=empty")
if told:
    escaped("can read /proc/{%s}" % ",".join(told))
try:
    with open("/proc/kallsyms") as f:
        for line in f:
            if line.split()[0].strip("0"):
                escaped("/proc/kallsyms tells addresses")
            break
except OSError as error:
    refused("kallsyms", error)
try:
    with open("/proc/self/pagemap", "rb") as f:
        f.seek(id(notes) // 4096 * 8)
        if int.from_bytes(f.read(8), "little") & ((1 << 55) - 1):
            escaped("/proc/self/pagemap tells physical addresses")
except OSError as error:
    refused("pagemap", error)
for name in ("stack", "syscall"):
    try:
        with open("/proc/self/" + name) as f:
            if "0xffffffff" in f.read():
                escaped("/proc/self/%s tells kernel addresses" % name)
    except OSError as error:
        refused(name, error)
verdict()
