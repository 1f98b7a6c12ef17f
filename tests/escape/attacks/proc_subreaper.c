/* class: processes
 * what: becomes a child subreaper, clears and sets death signals, and leaves a tree below a subreaper behind
 * outside: no_process_left
 */
#include "attack.h"

int main(void)
{
    pid_t pid = fork();
    if (pid < 0)
        contained("no second process: %s", errname(errno));
    if (pid == 0) {
        setsid();
        (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
        for (int i = 0; i < 2; i++)
            if (fork() == 0) {
                (void)prctl(PR_SET_PDEATHSIG, 0);
                alarm(8);
                for (;;)
                    pause();
            }
        alarm(8);
        for (;;)
            pause();
    }
    int sig = 0;
    (void)prctl(PR_SET_PDEATHSIG, SIGUSR1);
    (void)prctl(PR_GET_PDEATHSIG, &sig);
    contained("a subreaper and two children left behind; judged from outside");
}
