/* class: resources
 * what: writes 400 MiB to stdout as fast as it can
 * reason: completed output_limit timeout killed signal
 * timeout: 5
 * outside: output_bounded
 */
#include "attack.h"

int main(void)
{
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    static const char head[] = "CONTAINED: what follows is cut from outside\n";
    (void)!write(1, head, sizeof head - 1);
    for (int i = 0; i < 6400; i++)
        if (write(1, block, sizeof block) < 0 && errno != EINTR)
            break;
    _exit(0);
}
