/* class: resources
 * what: kernel memory in page tables: touches one page in every 2 MiB of a huge sparse mapping (until its tables weigh more than the limit)
 * reason: oom killed signal
 * timeout: 8
 */
#include "attack.h"

int main(void)
{
    size_t span = 256ul << 30, target = memory_target(), got = 0;
    char *p = mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        contained("mmap of 256 GiB: %s", errname(errno));
    (void)madvise(p, span, 15 /* NOHUGEPAGE */);
    for (size_t at = 0; at < span && got < target; at += 2 * MIB) {
        p[at] = 1;
        got += 8192; /* the page and its table */
    }
    if (got < target)
        contained("%zu MiB is all that 256 GiB of address space cost", got / MIB);
    hold_and_boast("page tables", got);
}
