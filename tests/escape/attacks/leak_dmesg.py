# class: leaks
# what: reads the kernel's log from /dev/kmsg, /proc/kmsg, /var/log and by klogctl
# include: attack.py
import ctypes

for path in ("/dev/kmsg", "/proc/kmsg", "/var/log/kern.log", "/var/log/dmesg", "/var/log/syslog", "/var/log/messages",
             "/sys/kernel/debug/tracing/trace",
             "/sys/kernel/tracing/trace", "/dev/console", "/var/log/journal", "/run/log/journal"):
    attempt(path, lambda: os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)))
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(4096)
for action in (3, 2, 10, 9):
    if action != 2 and libc.klogctl(action, buffer, 4096) >= 0:
        escaped("klogctl(%d) worked" % action)
verdict()
