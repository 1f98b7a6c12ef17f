/* disk_space.c - a session's /workspace on the disk: an ext4 in an image, attached to a loop device.
 *
 * Root's launcher makes a file without a name in /var/tmp, has mkfs.ext4 write an empty file system into it, and mounts
 * that in no place; init takes the mount, as it takes a volume's. No process but these sees the image, so what the
 * kernel reads of it only it has written. The top belongs to the sandbox's host id. Nothing has to be cleared up: the
 * sandbox's end takes the mount, that the loop device (LO_FLAGS_AUTOCLEAR), and that the file.
 *
 * The image takes on the disk what is written into it. There is no journal, since it never outlives its sandbox.
 */
#include "launch/run.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#define IMAGE_DIR        "/var/tmp"
#define IMAGE_FD         3 /* in mkfs, which knows files by name */
#define MKFS_PATIENCE_MS 20000
#define LOOP_TRIES       16 /* another process takes the free one, too */

/* linux/loop.h: musl's headers come without the kernel's */
#define KLOOP_CTL_GET_FREE 0x4C82
#define KLOOP_CONFIGURE    0x4C0A /* since 5.8 */
#define KLOOP_AUTOCLEAR    4
struct kloop_config {
    uint32_t fd, block_size;
    struct {
        uint64_t device, inode, rdevice, offset, size_limit;
        uint32_t number, encrypt_type, encrypt_key_size, flags;
        uint8_t file_name[64], crypt_name[64], encrypt_key[32];
        uint64_t init[2];
    } info;
    uint64_t reserved[8];
};
_Static_assert(sizeof(struct kloop_config) == 304, "struct loop_config of linux/loop.h");

/* linux/mount.h */
enum { KFSCONFIG_SET_FLAG = 0, KFSCONFIG_SET_STRING = 1, KFSCONFIG_CMD_CREATE = 6 };
#define KFSMOUNT_CLOEXEC 1
#define KFSOPEN_CLOEXEC  1

static int wait_for_mkfs(pid_t pid)
{
    struct pollfd f = { .fd = sys_pidfd_open(pid), .events = POLLIN };
    int status = -1, ready;
    do
        ready = f.fd < 0 ? -1 : poll(&f, 1, MKFS_PATIENCE_MS);
    while (ready < 0 && f.fd >= 0 && errno == EINTR);
    if (ready <= 0) /* a disk that hangs is not to hold up other runs */
        (void)kill(pid, SIGKILL);
    closep(&f.fd);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return ready > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : -EIO;
}

/* The options say all that /etc/mke2fs.conf could, but for features of a newer kernel's. */
static int make_file_system(int image, uint32_t owner)
{
    char extended[96], path[32];
    posix_spawn_file_actions_t actions;
    pid_t pid = 0;
    (void)snprintf(extended, sizeof extended, "root_owner=%u:%u,lazy_itable_init=1,nodiscard", owner, owner);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", IMAGE_FD);
    const char *const argv[] = { "mkfs.ext4", "-q",           "-F", "-b",     "4096", "-m", "0",
                                 "-O",        "^has_journal", "-E", extended, path,   NULL };
    char *envp[] = { NULL };
    if (posix_spawn_file_actions_init(&actions) != 0)
        return -ENOMEM;
    int e = 0;
    for (int fd = 0; fd < IMAGE_FD && e == 0; fd++)
        e = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    if (e == 0)
        e = posix_spawn_file_actions_adddup2(&actions, image, IMAGE_FD);
    if (e == 0)
        e = posix_spawn(&pid, "/usr/sbin/mkfs.ext4", &actions, NULL, (char *const *)(uintptr_t)argv, envp);
    (void)posix_spawn_file_actions_destroy(&actions);
    return e ? -e : wait_for_mkfs(pid);
}

/* A loop device with the image, or -errno. */
static int attach(int image, char path[static 32])
{
    const struct kloop_config config = { .fd = (uint32_t)image, .info.flags = KLOOP_AUTOCLEAR };
    cleanup(closep) int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (control < 0)
        return -errno;
    for (unsigned i = 0; i < LOOP_TRIES; i++) {
        const int number = ioctl(control, KLOOP_CTL_GET_FREE);
        if (number < 0)
            return -errno;
        (void)snprintf(path, 32, "/dev/loop%d", number);
        cleanup(closep) int fd = open(path, O_RDWR | O_CLOEXEC);
        if (fd < 0)
            return -errno;
        if (ioctl(fd, KLOOP_CONFIGURE, &config) == 0)
            return TAKE_FD(fd);
        if (errno != EBUSY)
            return -errno;
    }
    return -EBUSY;
}

static int configure(int fs, unsigned command, const char *key, const char *value)
{
    return syscall(SYS_FSCONFIG, fs, command, key, value, 0) < 0 ? -errno : 0;
}

static int mount_image(const char *device, bool is_noexec)
{
    const unsigned attributes = KMOUNT_ATTR_NOSUID | KMOUNT_ATTR_NODEV | (is_noexec ? KMOUNT_ATTR_NOEXEC : 0);
    cleanup(closep) int fs = (int)syscall(SYS_FSOPEN, "ext4", KFSOPEN_CLOEXEC);
    if (fs < 0)
        return -errno;
    int e = configure(fs, KFSCONFIG_SET_STRING, "source", device);
    if (e == 0)
        e = configure(fs, KFSCONFIG_SET_FLAG, "noinit_itable", NULL); /* of what is never read */
    if (e == 0)
        e = configure(fs, KFSCONFIG_CMD_CREATE, NULL, NULL);
    if (e < 0)
        return e;
    const int tree = (int)syscall(SYS_FSMOUNT, fs, KFSMOUNT_CLOEXEC, attributes);
    return tree < 0 ? -errno : tree;
}

static int fail(struct run *r, int e, const char *what)
{
    (void)snprintf(r->disk_why, sizeof r->disk_why, "%s: %s", what, strerror(-e));
    return e;
}

int disk_space_open(struct run *r, const struct plan_mount *m)
{
    char device[32];
    cleanup(closep) int image = open(IMAGE_DIR, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (image < 0 || ftruncate(image, (off_t)m->size_bytes) < 0)
        return fail(r, -errno, "an image in " IMAGE_DIR);
    int e = make_file_system(image, r->host_uid);
    if (e < 0)
        return fail(r, e, "mkfs.ext4");
    cleanup(closep) int loop = attach(image, device);
    if (loop < 0)
        return fail(r, loop, "a loop device");
    cleanup(closep) int tree = mount_image(device, m->flags & MOUNT_NOEXEC);
    if (tree < 0)
        return fail(r, tree, "mount an ext4");
    if (unlinkat(tree, "lost+found", AT_REMOVEDIR) < 0)
        return fail(r, -errno, "prepare an ext4");
    return TAKE_FD(tree);
}
