/* what: tries one call after the other, to see which are there: many refusals in a row
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    for (int round = 0; round < 3; round++)
        for (long nr = 440; nr < 700; nr++)
            if (nr != SYS_process_madvise && nr != 453 /* map_shadow_stack */)
                syscall(nr, -1, -1, -1, -1, -1, -1);
    sleep(1);
    dprintf(1, "done\n");
}
