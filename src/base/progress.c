#include "base/progress.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/io.h"

#define EVERY_MS 1000u
#define WIDTH    79 /* a line that wraps cannot be taken back */

void progress_begin(struct progress *p, const char *what)
{
    const uint64_t now = clock_ms();
    *p = (struct progress){ .what = what, .begin_ms = now, .next_ms = isatty(STDERR_FILENO) ? now + EVERY_MS : 0 };
}

/* Over what is there, without the sequences that not every terminal knows. Where it cannot be written
 * there is no line. */
static void show(struct progress *p, const char *line)
{
    char text[3 * WIDTH];
    const int n = snprintf(text, sizeof text, "\r%-*.*s\r%.*s", p->shown, WIDTH, "", WIDTH, line);
    if (n > 0)
        (void)write_all(STDERR_FILENO, text, MIN_OF((size_t)n, sizeof text - 1));
    p->shown = (int)MIN_OF(strlen(line), (size_t)WIDTH);
}

uint32_t progress_look(struct progress *p)
{
    const uint64_t now = clock_ms();
    char line[2 * WIDTH];
    if (!p->next_ms)
        return 0;
    if (now < p->next_ms)
        return (uint32_t)(p->next_ms - now);
    (void)snprintf(line, sizeof line, "sandbox-agent: %.*s: %llu s", WIDTH - 30, p->what,
                   (unsigned long long)((now - p->begin_ms) / 1000));
    show(p, line);
    p->next_ms = now + EVERY_MS;
    return EVERY_MS;
}

void progress_end(struct progress *p)
{
    if (p->shown)
        show(p, "");
    p->next_ms = 0;
}
