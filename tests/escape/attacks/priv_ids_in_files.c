/* class: privilege
 * what: sees files of host identities as its own: owns or may chown what belongs to root or others, or has groups that open host files
 */
#include "attack.h"

int main(void)
{
    static const char *const files[] = { "/usr/lib/x86_64-linux-gnu", "/usr/lib/python3.11",
                                         "/usr/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/bash" };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        struct stat st;
        if (stat(files[i], &st) < 0 || st.st_uid == 65534 /* nobody we know: not mapped */)
            continue;
        if (st.st_uid == getuid())
            escaped("owns %s", files[i]);
    }
    const char *dir = scratch_dir();
    if (dir) {
        char *path = scratch_path(dir, "own");
        close(open(path, O_WRONLY | O_CREAT | O_EXCL, 0600));
        for (uid_t u = 0; u < 3; u++)
            if (u != getuid() && chown(path, u, (gid_t)-1) == 0) {
                unlink(path);
                escaped("gave a file to user %u", u);
            }
        refused("chown", errno);
        if (chown(path, (uid_t)-1, 0) == 0) {
            unlink(path);
            escaped("gave a file to group 0");
        }
        refused("chgrp", errno);
        unlink(path);
    }
    verdict();
}
