/* class: filesystem
 * what: looks for descriptors 3 to 4095 left open by the caller or the launcher, writes through them and leaves through directories
 */
#include "attack.h"

int main(void)
{
    char found[200] = "";
    int count = 0;
    for (int fd = 3; fd < 4096; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            continue;
        struct stat st = { 0 };
        (void)fstat(fd, &st);
        snprintf(found + strlen(found), sizeof found - strlen(found), " %d(mode %o%s%s)", fd, (unsigned)st.st_mode,
                 (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY ? " writable" : "",
                 openat(fd, "..", O_PATH | O_CLOEXEC) >= 0 ? " leads out" : "");
        count++;
    }
    if (count)
        escaped("inherited descriptors:%s", found);
    contained("3..4095 are closed");
}
