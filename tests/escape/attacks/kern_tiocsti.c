/* class: kernel
 * what: types into the caller's terminal (TIOCSTI) on every descriptor and on a terminal of its own, also with garbage in the high bits
 * stdin: tty
 * outside: tty_untouched
 */
#include "attack.h"

static int fd;
static unsigned long request;
static int sti(void)
{
    char c = ' ';
    return call(SYS_ioctl, fd, (long)request, (long)&c, 0, 0, 0) < 0 ? errno : 0;
}
static int sti32(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    *p = ' ';
    return int80(54, fd, (long)(int)request, (long)p, 0, 0) < 0 ? errno : 0;
}

static void on(int where)
{
    static const unsigned long requests[] = { 0x5412, 0xdeadbeef00005412, 0xffffffff00005412, 0x100005412 };
    fd = where;
    for (int i = 0; i < 4; i++) {
        request = requests[i];
        attempt_gate(where > 2 ? "own tty" : where ? "output" : "stdin", sti);
    }
    attempt_gate("i386", sti32);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        if (fcntl(i, F_GETFD) >= 0)
            on(i);
    int tty = open("/dev/tty", O_RDWR | O_NOCTTY);
    if (tty > 2)
        on(tty);
    int master = open("/dev/ptmx", O_RDWR | O_NOCTTY);
    int zero = 0, number = 0;
    char path[32];
    if (master >= 0 && ioctl(master, 0x40045431 /* TIOCSPTLCK */, &zero) == 0 &&
        ioctl(master, 0x80045430 /* TIOCGPTN */, &number) == 0) {
        snprintf(path, sizeof path, "/dev/pts/%d", number);
        int slave = open(path, O_RDWR);
        if (slave >= 0)
            on(slave);
    }
    verdict();
}
