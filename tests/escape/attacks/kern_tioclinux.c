/* class: kernel
 * what: pastes into a console (TIOCLINUX), takes a terminal over (TIOCSCTTY, TIOCCONS, TIOCSETD), on every stream, with garbage high bits
 * stdin: tty
 * outside: tty_untouched
 */
#include "attack.h"

static int fd;
static unsigned long request;
static int go(void)
{
    char c[8] = { 6 }; /* TIOCL_GETSHIFTSTATE: reads only */
    return call(SYS_ioctl, fd, (long)request, (long)c, 0, 0, 0) < 0 ? errno : 0;
}
static int discipline(void)
{
    int n_slip = 1;
    return ioctl(fd, 0x5423 /* TIOCSETD */, &n_slip) < 0 ? errno : 0;
}
static int take(void)
{
    setsid();
    return ioctl(fd, 0x540e /* TIOCSCTTY */, 1) < 0 ? errno : 0;
}

int main(void)
{
    static const unsigned long requests[] = { 0x541c, 0xdeadbeef0000541c, 0x10000541c };
    for (fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            continue;
        for (int i = 0; i < 3; i++) {
            request = requests[i];
            attempt_gate("TIOCLINUX", go);
        }
        attempt("TIOCSETD", discipline);
        attempt("TIOCSCTTY", take);
    }
    verdict();
}
