/* what: forks as fast as it can, and each parent ends: few at any time, and always others
 * network: none */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    dprintf(1, "begun\n");
    signal(SIGCHLD, SIG_IGN);
    if (fork() == 0) {
        for (time_t end = time(NULL) + 3; time(NULL) < end;)
            if (fork() > 0)
                _exit(0);
        _exit(0);
    }
    sleep(4);
    sleep(1);
    dprintf(1, "done\n");
}
