/* what: mounts
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    mount("none", "/tmp", "tmpfs", 0, NULL);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
