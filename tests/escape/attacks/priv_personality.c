/* class: privilege
 * what: changes its execution domain: READ_IMPLIES_EXEC, ADDR_NO_RANDOMIZE, MMAP_PAGE_ZERO, foreign personalities
 */
#include "attack.h"

static unsigned long persona;
static int set(void)
{
    return syscall(SYS_personality, persona) < 0 ? errno : 0;
}
static int set32(void)
{
    return int80(136, (long)persona, 0, 0, 0, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const struct {
        const char *name;
        unsigned long value;
    } kinds[] = { { "READ_IMPLIES_EXEC", 0x0400000 },
                  { "NO_RANDOMIZE", 0x0040000 },
                  { "MMAP_PAGE_ZERO", 0x0100000 },
                  { "COMPAT_LAYOUT", 0x0200000 },
                  { "SVR4", 0x0001 },
                  { "BSD", 0x0006 },
                  { "WHOLE_SECONDS", 0x2000000 },
                  { "STICKY_TIMEOUTS", 0x4000000 },
                  { "high bits", 0x100000400000 } };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        persona = kinds[i].value;
        attempt(kinds[i].name, set);
        if (i < 2)
            attempt("i386", set32);
    }
    verdict();
}
