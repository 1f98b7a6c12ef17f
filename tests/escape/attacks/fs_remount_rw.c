/* class: filesystem
 * what: makes read-only mounts writable again by remount, bind remount and mount_setattr (touches only what is read-only)
 */
#include "attack.h"
#include <sys/mount.h>
#include <sys/statvfs.h>

struct mount_attr_ {
    uint64_t set, clr, propagation, userns;
};

int main(void)
{
    static const char *const paths[] = { "/",     "/usr",    "/lib",  "/lib64",    "/bin", "/etc",
                                         "/code", "/attack", "/proc", "/proc/sys", "/dev" };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct statvfs st;
        if (statvfs(paths[i], &st) < 0 || !(st.f_flag & ST_RDONLY))
            continue;
        if (mount(NULL, paths[i], NULL, MS_REMOUNT | MS_BIND, NULL) == 0)
            escaped("bind remount of %s", paths[i]);
        refused(paths[i], errno);
        if (mount(NULL, paths[i], NULL, MS_REMOUNT, NULL) == 0)
            escaped("remount of %s", paths[i]);
        struct mount_attr_ a = { .clr = 1 | 2 | 4 | 8 /* RDONLY NOSUID NODEV NOEXEC */ };
        if (syscall(442, AT_FDCWD, paths[i], 0x8000 /* AT_RECURSIVE */, &a, sizeof a) == 0)
            escaped("mount_setattr of %s", paths[i]);
        refused("setattr", errno);
    }
    verdict();
}
