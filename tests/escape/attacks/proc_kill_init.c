/* class: processes
 * what: sends all signals to init (pid 1) and to its parent, to stop, kill or confuse the supervision, and to end the sandbox under a false reason
 * reason: signal killed error
 */
#include "attack.h"

int main(void)
{
    need_to_be_alone();
    for (int s = 1; s <= 64; s++)
        if (s != SIGCHLD && s != SIGKILL && s != SIGSTOP)
            signal(s, SIG_IGN);
    int sent = 0;
    for (int round = 0; round < 2; round++)
        for (int s = 1; s <= 64; s++)
            for (int who = 0; who < 2; who++) {
                pid_t pid = who ? getppid() : 1;
                if (pid < 1)
                    continue;
                sent += kill(pid, s) == 0;
                syscall(SYS_tgkill, pid, pid, s);
                syscall(SYS_tkill, pid, s);
                union sigval v = { .sival_int = 42 };
                sigqueue(pid, s, v);
            }
    sleep_ms(200);
    if (kill(1, 0) < 0 && errno == ESRCH)
        escaped("init is gone and we are still here");
    contained("%d signals sent, init and we are still here", sent);
}
