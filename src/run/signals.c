#include "run/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_catch(void)
{
    static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < ARRAY_LEN(ours); i++)
        (void)sigaddset(&set, ours[i]);
    /* a blocked signal is queued although it is ignored, so nohup's must not be blocked */
    struct sigaction now;
    if (sigaction(SIGHUP, NULL, &now) == 0 && now.sa_handler == SIG_IGN)
        (void)sigdelset(&set, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    (void)signal(SIGPIPE, SIG_IGN); /* a reader that has left is an error of write(), not our death */
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void signals_end(int fd, int caught)
{
    struct signalfd_siginfo info;
    while (fd >= 0 && !caught && read(fd, &info, sizeof info) == (ssize_t)sizeof info)
        caught = (int)info.ssi_signo;
    if (caught != SIGINT)
        return;
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)signal(SIGINT, SIG_DFL);
    (void)raise(SIGINT);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL); /* here it ends */
}
