/* class: resources
 * what: makes empty files until inodes run out (200000 at most)
 * reason: oom killed
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    enum { MOST = 200000 };
    int total = 0, err = 0;
    char dirs[3][64];
    static const char *const places[] = { "/dev/shm", "/tmp", "/workspace" };
    double until = seconds(CLOCK_MONOTONIC) + 6;
    for (int d = 0; d < 3 && total < MOST; d++) {
        snprintf(dirs[d], sizeof dirs[d], "%s/" OURS "%d-inodes", places[d], (int)getpid());
        if (mkdir(dirs[d], 0700) < 0 || chdir(dirs[d]) < 0)
            continue;
        while (total < MOST && seconds(CLOCK_MONOTONIC) < until) {
            char name[16];
            snprintf(name, sizeof name, "%x", total);
            if (mknod(name, S_IFREG | 0600, 0) < 0) {
                err = errno;
                break;
            }
            total++;
        }
    }
    if (param_num("limit_memory", 0) == 0) /* on a host: leave nothing */
        for (int d = 0; d < 3; d++)
            if (chdir(dirs[d]) == 0) {
                for (int i = 0; i < total; i++) {
                    char name[16];
                    snprintf(name, sizeof name, "%x", i);
                    unlink(name);
                }
                rmdir(dirs[d]);
            }
    if (total >= MOST)
        escaped("%d files", total);
    contained("%d files, then %s", total, errname(err));
}
