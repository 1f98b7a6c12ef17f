// class: flood; possible: low medium
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    for (int i = 0; i < 6; i++)
        if (!fork()) for (;;) { char *p = malloc(1 << 22); if (p) memset(p, 7, 1 << 22); }
    sleep(30);
}
