/* what: forks as fast as it can; all children stay
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    for (time_t end = time(NULL) + (getenv("BUSY") ? atoi(getenv("BUSY")) : 20); time(NULL) < end;)
        if (fork() == 0) {
            pause();
            _exit(0);
        }
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
