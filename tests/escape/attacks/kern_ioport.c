/* class: kernel
 * what: gets at the machine's ports: iopl, ioperm and /dev/port (asks only, touches no port)
 */
#include "attack.h"

static int iopl3(void)
{
    return syscall(SYS_iopl, 3) < 0 ? errno : 0;
}
static int ioperm_(void)
{
    return syscall(SYS_ioperm, 0x80, 1, 1) < 0 ? errno : 0;
}
static int iopl32(void)
{
    return int80(110, 3, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int ioperm32(void)
{
    return int80(101, 0x80, 1, 1, 0, 0) < 0 ? errno : 0;
}
static int device(void)
{
    return open("/dev/port", O_RDONLY) < 0 ? (errno == ENOENT ? EACCES : errno) : 0;
}

int main(void)
{
    attempt_gate("iopl", iopl3);
    attempt_gate("ioperm", ioperm_);
    attempt_gate("i386 iopl", iopl32);
    attempt_gate("i386 ioperm", ioperm32);
    attempt_gate("/dev/port", device);
    verdict();
}
