/* resident.h - a launcher for many runs, as the service starts it: without the word «once» that client_start() gives. */
#pragma once
#include "run/client.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

static inline void resident_start(struct client *ret, const char *libexec)
{
    int pair[2];
    char path[4200];
    char *const argv[] = { (char *)"sandbox-launcher", NULL }, *const env[] = { NULL };
    (void)snprintf(path, sizeof path, "%s/sandbox-launcher", libexec);
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        abort();
    pid_t pid = vfork();
    if (pid == 0) {
        int fd = fcntl(pair[1], F_DUPFD, 10); /* off 3, so that dup2() clears CLOEXEC */
        if (fd >= 0 && dup2(fd, 3) == 3)
            (void)execve(path, argv, env);
        _exit(125);
    }
    (void)close(pair[1]);
    *ret = (struct client){ .sock = pair[0], .pid = pid };
}
