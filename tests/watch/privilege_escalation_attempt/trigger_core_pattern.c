/* what: would have the kernel start a program of its own
 * network: none */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    int fd = open("/proc/sys/kernel/core_pattern", O_WRONLY);
    if (fd >= 0) {
        (void)!write(fd, "core\n", 0);
        close(fd);
    }
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
