/* class: kernel
 * what: watches whole file systems with fanotify, for content and for reports
 */
#include "attack.h"

static int flags;
static int init(void)
{
    int fd = (int)syscall(SYS_fanotify_init, flags, O_RDONLY);
    if (fd < 0)
        return errno;
    (void)syscall(SYS_fanotify_mark, fd, 1 | 0x100 /* FILESYSTEM */, 2, AT_FDCWD, "/usr");
    return 0;
}

int main(void)
{
    static const int kinds[] = { 0,   4 /* CONTENT */, 8 /* PRE_CONTENT */, 0x200 /* REPORT_FID */, 0xe00,
                                 0x80 /* REPORT_PIDFD */ };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        flags = kinds[i];
        attempt_gate("fanotify_init", init);
    }
    verdict();
}
