/* class: resources
 * what: finds a limit of its own missing: descriptors, file size, core, locked memory, message queues, real-time time, processes
 */
#include "attack.h"
#include <sys/resource.h>

int main(void)
{
    static const struct {
        const char *name;
        int kind;
        uint64_t most;
    } limits[] = { { "core", RLIMIT_CORE, 0 },
                   { "files", RLIMIT_NOFILE, 4096 },
                   { "file size", RLIMIT_FSIZE, 4ull << 30 },
                   { "locked", RLIMIT_MEMLOCK, 64ull << 20 },
                   { "queues", RLIMIT_MSGQUEUE, 1 << 20 },
                   { "nice", RLIMIT_NICE, 20 },
                   { "rtprio", RLIMIT_RTPRIO, 0 } };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit r;
        if (getrlimit(limits[i].kind, &r) < 0)
            continue;
        if (r.rlim_max > limits[i].most)
            escaped("%s is limited only to %llu", limits[i].name, (unsigned long long)r.rlim_max);
        char text[32];
        snprintf(text, sizeof text, "%llu", (unsigned long long)r.rlim_max);
        note(limits[i].name, text);
    }
    verdict();
}
