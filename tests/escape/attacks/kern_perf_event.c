/* class: kernel
 * what: perf_event_open for itself, for everything and for init, software, hardware and tracepoint events
 */
#include "attack.h"

static uint32_t kind;
static int scope;
static int open_(void)
{
    uint64_t a[16] = { 0 };
    ((uint32_t *)a)[0] = kind;
    ((uint32_t *)a)[1] = 112;
    a[5] = scope ? 1 : 1 | 1 << 5 | 1 << 6; /* disabled (, no kernel, no hypervisor) */
    return syscall(SYS_perf_event_open, a, scope == 2 ? 1 : scope ? -1 : 0, scope == 1 ? 0 : -1, -1, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const char *const names[] = { "hardware", "software", "tracepoint", "cache", "raw", "breakpoint" };
    for (kind = 0; kind < 6; kind++)
        for (scope = 0; scope < 3; scope++)
            attempt_gate(names[kind], open_);
    verdict();
}
