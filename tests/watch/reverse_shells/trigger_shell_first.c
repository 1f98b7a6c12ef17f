/* what: pipes, a fork, sh, then connect, and poll() that carries bytes
 * server: shell */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    char *server = getenv("SERVER"), *colon = strchr(server, ':'), bytes[1024];
    struct sockaddr_in a = { .sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons(atoi(colon + 1)) };
    int in[2], out[2];
    if (pipe(in) < 0 || pipe(out) < 0)
        return 1;
    if (fork() == 0) {
        dup2(in[0], 0), dup2(out[1], 1), dup2(out[1], 2);
        close(in[1]), close(out[0]);
        execl("/bin/sh", "sh", NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    dprintf(1, "begun\n");
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, (struct sockaddr *)&a, sizeof a) < 0)
        return perror("connect"), 1;
    struct pollfd p[2] = { { .fd = s, .events = POLLIN }, { .fd = out[0], .events = POLLIN } };
    while (poll(p, 2, -1) > 0) {
        ssize_t n = 1;
        if (p[0].revents && (n = read(s, bytes, sizeof bytes)) > 0)
            n = write(in[1], bytes, n);
        if (n > 0 && p[1].revents && (n = read(out[0], bytes, sizeof bytes)) > 0)
            n = write(s, bytes, n);
        if (n <= 0)
            break;
    }
    dprintf(1, "done\n");
}
