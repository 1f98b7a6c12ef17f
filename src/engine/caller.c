#include "engine/caller.h"

#include <stdarg.h>
#include <stdio.h>
#include "base/clock.h"

uint64_t caller_listen(const struct engine_caller *caller, struct pollfd out[static ENGINE_CALLER_POLLS])
{
    for (size_t i = 0; i < ENGINE_CALLER_POLLS; i++)
        out[i] = (struct pollfd){ .fd = -1 };
    return caller ? caller->listen(caller->context, out) : UINT64_MAX;
}

int caller_wait(const struct engine_caller *caller, int fd, short events, uint64_t until_ms)
{
    for (;;) {
        struct pollfd p[1 + ENGINE_CALLER_POLLS];
        const uint64_t end_ms = caller_listen(caller, p + 1), now = clock_ms(), next = MIN_OF(until_ms, end_ms);
        if (next <= now)
            return end_ms <= now ? -ECANCELED : -ETIMEDOUT;
        p[0] = (struct pollfd){ .fd = fd, .events = events };
        if (poll(p, ARRAY_LEN(p), (int)MIN_OF(next - now, (uint64_t)60000)) < 0 && errno != EINTR)
            return -errno;
        if (p[0].revents)
            return 0;
    }
}

int caller_say_cut(struct error *err, const char *fmt, ...)
{
    char text[384];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    (void)err_set(err, -ECANCELED, BLAME_HOST, NULL, "%s, and the run was to end", text);
    return err_remedy(err, "the engine hangs or is overloaded: look at its log");
}
