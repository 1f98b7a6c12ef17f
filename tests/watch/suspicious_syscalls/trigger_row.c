/* what: asks for one administrator's call after the other, none of which says much by itself: many refusals in a row
 * network: none */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static const long calls[] = { SYS_syslog,       SYS_sethostname,   SYS_setdomainname,
                                  SYS_settimeofday, SYS_clock_settime, SYS_quotactl };
    dprintf(1, "begun\n");
    for (int round = 0; round < 20; round++)
        for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++)
            syscall(calls[i], -1, -1, -1, -1, -1, -1);
    usleep((unsigned)(1e6 * (getenv("LINGER") ? atof(getenv("LINGER")) : 20)));
    dprintf(1, "done\n");
}
