/* class: resources
 * what: makes inotify instances and watches until refused (1000 instances, 30000 watches at most)
 * reason: oom killed
 */
#include "attack.h"
#include <sys/inotify.h>

int main(void)
{
    int instances = 0, fd = inotify_init1(0), first = fd;
    while (fd >= 0 && instances < 1000) {
        instances++;
        fd = inotify_init1(0);
    }
    int err = errno, watches = 0;
    const char *dir = scratch_dir();
    char path[128];
    for (; dir && first >= 0 && watches < 30000; watches++) {
        snprintf(path, sizeof path, "%s/" OURS "%d-w%d", dir, (int)getpid(), watches);
        int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (file < 0 && errno != EMFILE)
            break;
        if (file < 0) { /* all descriptors are instances now: give one back */
            close(first + instances - 1 > first ? first + 1 : first);
            instances--;
            watches--;
            if (instances < 1)
                break;
            continue;
        }
        close(file);
        int w = inotify_add_watch(first, path, IN_ALL_EVENTS);
        unlink(path);
        if (w < 0)
            break;
    }
    if (instances >= 1000)
        escaped("%d inotify instances", instances);
    contained("%d instances then %s, %d watches", instances, errname(err), watches);
}
