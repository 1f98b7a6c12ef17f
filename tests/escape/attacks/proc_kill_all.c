/* class: processes
 * what: kill(-1, SIGKILL), kill(0) and killpg against everything it can reach (only where a scan proves that nobody else is in reach)
 * outside: victim_alive
 * reason: signal error killed
 */
#include "attack.h"

int main(void)
{
    need_to_be_alone();
    if (getpgrp() == 0 || getsid(0) == 0)
        escaped("its process group or session belongs to the outside");
    static const int signals[] = { SIGUSR1, SIGTERM, SIGHUP, SIGSTOP, SIGCONT, SIGKILL };
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (signals[i] != SIGKILL && signals[i] != SIGSTOP)
            signal(signals[i], SIG_IGN);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        note("kill(-1)", kill(-1, signals[i]) == 0 ? "sent" : errname(errno));
    note("kill(0)", kill(0, SIGTERM) == 0 ? "sent" : errname(errno));
    sleep_ms(100);
    verdict();
}
