/* class: filesystem
 * what: builds and grafts mounts with the new calls: fsopen, fsconfig, fsmount, fspick, open_tree, move_mount, mount_setattr, open_tree_attr, statmount
 */
#include "attack.h"

static int fsopen_(void)
{
    return syscall(430, "tmpfs", 0) < 0 ? errno : 0;
}
static int fspick_(void)
{
    return syscall(433, AT_FDCWD, "/", 0) < 0 ? errno : 0;
}
static int fsconfig_(void)
{
    return syscall(431, -1, 0, "source", "none", 0) < 0 ? errno : 0;
}
static int fsmount_(void)
{
    return syscall(432, -1, 0, 0) < 0 ? errno : 0;
}
static int open_tree_(void)
{
    return syscall(428, AT_FDCWD, "/", 1 /* CLONE */ | 0x8000) < 0 ? errno : 0;
}
static int open_tree_attr_(void)
{
    uint64_t attr[4] = { 0 };
    return syscall(467, AT_FDCWD, "/", 1, attr, sizeof attr) < 0 ? errno : 0;
}
static int move_mount_(void)
{
    return syscall(429, -1, "", -1, "", 0) < 0 ? errno : 0;
}
static int mount_setattr_(void)
{
    uint64_t attr[4] = { 0 }; /* changes nothing */
    return syscall(442, AT_FDCWD, "/", 0, attr, sizeof attr) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("fsopen", fsopen_);
    attempt_gate("fspick", fspick_);
    attempt_gate("fsconfig", fsconfig_);
    attempt_gate("fsmount", fsmount_);
    attempt_gate("open_tree", open_tree_);
    attempt_gate("open_tree_attr", open_tree_attr_);
    attempt_gate("move_mount", move_mount_);
    attempt_gate("mount_setattr", mount_setattr_);
    verdict();
}
