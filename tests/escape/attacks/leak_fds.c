/* class: leaks
 * what: finds descriptors beyond 0, 1 and 2, or standard streams that lead to the caller's terminal or directories
 */
#include "attack.h"

int main(void)
{
    char text[256];
    for (int fd = 0; fd < 65536; fd++) {
        if (fcntl(fd, F_GETFD) < 0)
            continue;
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        ssize_t n = readlink(path, text, sizeof text - 1);
        text[n > 0 ? n : 0] = 0;
        if (fd > 2)
            escaped("descriptor %d is open (%s)", fd, text);
        if (isatty(fd))
            escaped("descriptor %d is a terminal (%s)", fd, text);
        struct stat st;
        if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
            escaped("descriptor %d is a directory (%s)", fd, text);
        char name[16];
        snprintf(name, sizeof name, "fd%d", fd);
        note(name, n > 0 ? text : "open");
    }
    verdict();
}
