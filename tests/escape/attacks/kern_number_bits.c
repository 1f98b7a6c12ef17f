/* class: kernel
 * what: hides forbidden calls behind garbage in the upper half of the call number and negative numbers
 */
#include "attack.h"

static unsigned long nr;
static int unshare_(void)
{
    return call(nr, CLONE_NEWUSER, 0, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const unsigned long bits[] = { 0x100000000ul,        0xffffffff00000000ul, 0xdeadbeef00000000ul,
                                          0x8000000000000000ul, 0x80000000ul,         0x40000000ul,
                                          0xc0000000ul,         0x200ul << 32 };
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        char what[24];
        snprintf(what, sizeof what, "%lx", bits[i]);
        nr = bits[i] | SYS_unshare;
        attempt(what, unshare_);
    }
    verdict();
}
