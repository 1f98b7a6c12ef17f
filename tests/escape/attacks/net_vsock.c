/* class: network
 * what: creates an AF_VSOCK socket, the road to the hypervisor that network namespaces do not close (socket() only; nothing is connected)
 */
#include "attack.h"

static int kind;
static int plain(void)
{
    return syscall(SYS_socket, 40, kind, 0) < 0 ? errno : 0;
}
static int flags(void)
{
    return syscall(SYS_socket, 40, kind | 02000000 | 04000, 0) < 0 ? errno : 0;
}
static int in32(void)
{
    return int80(359, 40, kind, 0, 0, 0) < 0 ? errno : 0;
}
static int socketcall(void)
{
    uint32_t *p = low_page();
    if (!p)
        return ENOMEM;
    p[0] = 40, p[1] = (uint32_t)kind, p[2] = 0;
    return int80(102, 1, (long)p, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const int kinds[] = { 1, 2, 5 };
    for (int i = 0; i < 3; i++) {
        kind = kinds[i];
        attempt("socket", plain);
        attempt("with flags", flags);
        attempt("i386 socket", in32);
        attempt("i386 socketcall", socketcall);
    }
    int fd = open("/dev/vsock", O_RDWR | O_CLOEXEC);
    if (fd >= 0)
        escaped("/dev/vsock opens");
    refused("/dev/vsock", errno);
    verdict();
}
