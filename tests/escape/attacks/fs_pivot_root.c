/* class: filesystem
 * what: swaps the root with pivot_root to uncover the host's (arguments that can only fail after the privilege check)
 */
#include "attack.h"

static int pivot64(void)
{
    return syscall(SYS_pivot_root, "/", "/") < 0 ? errno : 0;
}
static int pivot32(void)
{
    char *p = low_page();
    if (!p)
        return ENOMEM;
    strcpy(p, "/");
    return int80(217, (long)p, (long)p, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    attempt_gate("pivot_root", pivot64);
    attempt_gate("i386 pivot_root", pivot32);
    verdict();
}
