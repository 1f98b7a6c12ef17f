/* class: filesystem
 * what: mounts tmpfs, proc, sysfs, cgroup, overlay, devpts, debugfs, fuse and a bind of / into its own directory
 */
#include "attack.h"
#include <sys/mount.h>

int main(void)
{
    static const struct {
        const char *source, *type, *data;
        unsigned long flags;
    } tries[] = { { "none", "tmpfs", "", 0 },
                  { "proc", "proc", "", 0 },
                  { "sysfs", "sysfs", "", 0 },
                  { "none", "cgroup2", "", 0 },
                  { "none", "cgroup", "memory", 0 },
                  { "none", "cgroup", "none,name=escape", 0 },
                  { "none", "overlay", "lowerdir=/usr,upperdir=/tmp,workdir=/tmp", 0 },
                  { "none", "devpts", "newinstance", 0 },
                  { "none", "mqueue", "", 0 },
                  { "none", "ramfs", "", 0 },
                  { "none", "debugfs", "", 0 },
                  { "none", "securityfs", "", 0 },
                  { "none", "binfmt_misc", "", 0 },
                  { "none", "devtmpfs", "", 0 },
                  { "none", "fuse", "fd=3,rootmode=40000,user_id=0,group_id=0", 0 },
                  { "/", NULL, NULL, MS_BIND | MS_REC },
                  { "/proc", NULL, NULL, MS_BIND },
                  { "/usr", NULL, NULL, MS_BIND } };
    const char *dir = scratch_dir();
    char target[300];
    snprintf(target, sizeof target, "%s", dir ? scratch_path(dir, "mnt") : "/attack");
    if (dir && mkdir(target, 0700) < 0)
        contained("cannot make a mount point: %s", errname(errno));
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        const char *what = tries[i].type ? tries[i].type : tries[i].source;
        int ret = mount(tries[i].source, target, tries[i].type, tries[i].flags, tries[i].data);
        int err = errno;
        if (ret == 0) {
            (void)umount2(target, MNT_DETACH);
            (void)rmdir(target);
            escaped("mounted %s", what);
        }
        refused(what, err);
    }
    /* the target is no mount point: EINVAL comes only after the privilege check */
    int ret = mount("none", target, NULL, MS_REC | MS_SHARED, NULL);
    if (dir && !is_refusal(errno))
        (void)rmdir(target);
    gate("propagation", ret);
    if (dir)
        rmdir(target);
    verdict();
}
