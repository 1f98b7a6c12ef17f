/* class: privilege
 * what: lives in the host's user namespace, is root outside, or rewrites its identity maps
 */
#include "attack.h"

int main(void)
{
    char text[512] = "";
    int fd = open("/proc/self/uid_map", O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        (void)!read(fd, text, sizeof text - 1);
        unsigned long in, out, count;
        for (char *line = text; sscanf(line, " %lu %lu %lu", &in, &out, &count) == 3;) {
            if (out == 0 || count >= 4294967295ul)
                escaped("its users are the host's: %lu is %lu outside, %lu of them", in, out, count);
            line = strchr(line, '\n');
            if (!line || !*++line)
                break;
        }
        close(fd);
        note("map", "own");
    } else
        refused("uid_map", errno);
    static const char *const files[] = { "/proc/self/uid_map", "/proc/self/gid_map", "/proc/self/projid_map",
                                         "/proc/self/setgroups", "/proc/1/uid_map" };
    static const char *const texts[] = { "0 0 1\n", "0 0 1\n", "0 0 1\n", "allow", "0 0 1\n" };
    for (int i = 0; i < 5; i++) {
        fd = open(files[i], O_WRONLY | O_CLOEXEC);
        if (fd >= 0 && i != 4 && write(fd, texts[i], strlen(texts[i])) > 0)
            escaped("wrote %s", files[i]);
        refused(files[i] + 6, errno);
        if (fd >= 0)
            close(fd);
    }
    verdict();
}
