// class: flood; possible: low medium; style: C, touches pages for ever
#include <stdlib.h>
#include <string.h>

int main(void)
{
    for (size_t n = 1 << 20;; n += n / 2) {
        char *p = malloc(n);
        if (!p) {
            n = 1 << 20;
            continue;
        }
        memset(p, 0xa5, n);
    }
}
