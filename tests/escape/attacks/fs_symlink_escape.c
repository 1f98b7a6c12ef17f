/* class: filesystem
 * what: plants symbolic links to the host's canary (absolute, with .., through /proc/self/root and /proc/1/root) and opens through them
 */
#include "attack.h"

int main(void)
{
    const char *canary = param("canary", "/root/.bashrc");
    char targets[6][512];
    snprintf(targets[0], 512, "%s", canary);
    snprintf(targets[1], 512, "../../../../../../../../..%s", canary);
    snprintf(targets[2], 512, "/proc/self/root%s", canary);
    snprintf(targets[3], 512, "/proc/1/root%s", canary);
    snprintf(targets[4], 512, "/proc/self/root/../../..%s", canary);
    snprintf(targets[5], 512, "/proc/self/cwd/../../../../..%s", canary);
    for (size_t d = 0; d < SCRATCH_COUNT; d++)
        for (int t = 0; t < 6; t++) {
            char *link = scratch_path(scratch_dirs[d], "link");
            if (symlink(targets[t], link) < 0)
                break;
            int fd = open(link, O_RDWR | O_CLOEXEC);
            if (fd < 0)
                fd = open(link, O_RDONLY | O_CLOEXEC);
            int err = errno;
            unlink(link);
            if (fd >= 0)
                escaped("opened %s through a link in %s", targets[t], scratch_dirs[d]);
            if (t < 2)
                refused(scratch_dirs[d], err);
        }
    verdict();
}
