/* class: resources
 * what: pulls all files it can read into the page cache (1.5 GiB at most), which may crowd others out but must not count past its limit
 * reason: oom killed
 * timeout: 5
 */
#include "attack.h"
#include <dirent.h>

static size_t total;
static double until;

static void walk(const char *dir, int depth)
{
    static char buf[1 << 18];
    DIR *d = opendir(dir);
    struct dirent *e;
    while (d && (e = readdir(d)) && total < 1500 * MIB && seconds(CLOCK_MONOTONIC) < until) {
        char path[1024];
        if (e->d_name[0] == '.' || snprintf(path, sizeof path, "%s/%s", dir, e->d_name) >= (int)sizeof path)
            continue;
        if (e->d_type == DT_DIR && depth < 6)
            walk(path, depth + 1);
        else if (e->d_type == DT_REG) {
            int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
            ssize_t n;
            while (fd >= 0 && (n = read(fd, buf, sizeof buf)) > 0)
                total += (size_t)n;
            if (fd >= 0)
                close(fd);
        }
    }
    if (d)
        closedir(d);
}

int main(void)
{
    until = seconds(CLOCK_MONOTONIC) + 2;
    walk("/usr/lib", 0);
    contained("read %zu MiB; judged from outside by its peak", total / MIB);
}
