/* class: kernel
 * what: reads the kernel's log by syslog() (size, read all, unread) and i386 syslog
 */
#include "attack.h"

static char buf[64];
static int size(void)
{
    return syscall(SYS_syslog, 10, NULL, 0) < 0 ? errno : 0;
}
static int all(void)
{
    return syscall(SYS_syslog, 3, buf, sizeof buf) < 0 ? errno : 0;
}
static int unread(void)
{
    return syscall(SYS_syslog, 9, NULL, 0) < 0 ? errno : 0;
}
static int bad(void)
{
    return syscall(SYS_syslog, 99, NULL, 0) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(103, 10, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("size", size);
    attempt_gate("read all", all);
    attempt_gate("unread", unread);
    attempt_gate("unknown action", bad);
    attempt_gate("i386 size", in32);
    verdict();
}
