/* class: leaks
 * what: two sandboxes talk through locks on host files that both can read (flock, POSIX locks, leases)
 * twice: hold look
 * open: every sandbox reads the same inodes of /usr, and a lock belongs to the inode; a slow channel, no access
 */
#include "attack.h"
#include <sys/file.h>

int main(int argc, char **argv)
{
    static const char *const files[] = { "/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/lib/os-release",
                                         "/lib64/ld-linux-x86-64.so.2" };
    bool is_holder = argc > 1 && !strcmp(argv[1], "hold");
    int held = 0;
    for (int i = 0; i < 3; i++) {
        int fd = open(files[i], O_RDONLY | O_CLOEXEC);
        if (fd < 0)
            continue;
        if (is_holder)
            held += flock(fd, LOCK_EX | LOCK_NB) == 0;
        else if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EAGAIN)
            escaped("sees another sandbox's lock on %s", files[i]);
        else
            refused(files[i], errno);
    }
    if (is_holder)
        hold();
    contained("%s %d locks", is_holder ? "held" : "saw none of", held);
}
