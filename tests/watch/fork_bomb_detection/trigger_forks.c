/* what: forks as fast as it can; all children stay
 * network: none */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    for (time_t end = time(NULL) + 3; time(NULL) < end;)
        if (fork() == 0) {
            pause();
            _exit(0);
        }
    usleep(600000);
    dprintf(1, "done\n");
}
