/* class: filesystem
 * what: unmounts masks and mounts that hide the host (MNT_EXPIRE only marks on the first call, so nothing is lost by mistake)
 */
#include "attack.h"
#include <sys/mount.h>

int main(void)
{
    static const char *const paths[] = { "/",    "/tmp",  "/proc",   "/proc/sys",  "/proc/kcore", "/proc/keys", "/dev",
                                         "/usr", "/code", "/attack", "/workspace", "/etc",        "/sys" };
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (access(paths[i], F_OK) < 0)
            continue;
        int ret = umount2(paths[i], MNT_EXPIRE);
        int err = errno;
        if (ret == 0 || !is_refusal(err))
            escaped("umount of %s reached the kernel (%s)", paths[i], ret ? errname(err) : "done");
        refused(paths[i], err);
    }
    verdict();
}
