/* class: leaks
 * what: watches system directories with inotify and dnotify and sees which programs and libraries the host and other sandboxes open
 * outside: file_events_unseen
 */
#include "attack.h"
#include <sys/inotify.h>

static volatile sig_atomic_t told;
static void on_event(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)context;
    told = info->si_fd + 1;
}

int main(void)
{
    static const char *const dirs[] = {
        "/usr/bin",       "/usr/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib/python3.11", "/attack",
        "/attack/params", "/lib64"
    };
    enum { COUNT = sizeof dirs / sizeof dirs[0] };
    const char *watched[64] = { 0 };
    struct sigaction a = { .sa_sigaction = on_event, .sa_flags = SA_SIGINFO };
    sigaction(SIGRTMIN, &a, NULL);
    for (int i = 0; i < COUNT; i++) {
        int dir = open(dirs[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0)
            continue;
        (void)fcntl(dir, 10 /* F_SETSIG */, SIGRTMIN);
        if (fcntl(dir, 1026 /* F_NOTIFY */, 1 | 4 | 0x80000000u /* ACCESS, CREATE, MULTISHOT */) < 0)
            refused("F_NOTIFY", errno);
        else
            watched[0] = "dnotify";
    }
    /* last, so that we do not hear ourselves */
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (int i = 0; fd >= 0 && i < COUNT; i++) {
        int w = inotify_add_watch(fd, dirs[i], IN_OPEN | IN_ACCESS | IN_CLOSE | IN_CREATE);
        if (w > 0 && w < 64)
            watched[w] = dirs[i];
        else
            refused(dirs[i], errno);
    }
    if (fd < 0)
        refused("inotify_init", errno);
    double until = seconds(CLOCK_MONOTONIC) + 0.5;
    while (seconds(CLOCK_MONOTONIC) < until) {
        char buf[4096] __attribute__((aligned(8)));
        ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof buf);
        if (n > 0) {
            struct inotify_event *e = (struct inotify_event *)buf;
            escaped("sees somebody open %s/%s", e->wd > 0 && e->wd < 64 && watched[e->wd] ? watched[e->wd] : "?",
                    e->len ? e->name : "");
        }
        if (told)
            escaped("sees somebody read below a system directory (dnotify)");
        sleep_ms(20);
    }
    note("seen", "nothing");
    verdict();
}
