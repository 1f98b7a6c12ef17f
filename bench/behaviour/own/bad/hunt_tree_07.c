// class: credential hunting; possible: low medium; style: C, a walk through homes, what looks like a key
#define _XOPEN_SOURCE 700
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static int each(const char *path, const struct stat *st, int kind, struct FTW *where)
{
    char text[512] = "";
    (void)where;
    FILE *f = kind == FTW_F && st->st_size < 65536 ? fopen(path, "rb") : NULL;
    if (f) {
        (void)!fread(text, 1, sizeof text - 1, f);
        fclose(f);
    }
    if (strstr(text, "PRIVATE KEY"))
        puts(path);
    return 0;
}

int main(void)
{
    static const char *const places[] = { "/home", "/root", "/srv", "/opt", "/var/www" };
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        nftw(places[i], each, 16, FTW_PHYS);
    return 0;
}
