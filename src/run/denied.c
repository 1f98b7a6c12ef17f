#include "run/denied.h"

#include <stdio.h>

#include "policy/target.h"

static void on_line(struct denied *d)
{
    static const struct {
        const char *words, *layer;
        bool is_shell;
    } refusals[] = { { "restricted: cannot redirect output", "the restricted shell", true },
                     { "Permission denied", "the file's permission", false },
                     { "Read-only file system", "a read-only mount", false },
                     { "Operation not permitted", "the filter or the file's permission", false },
                     { "No such file or directory", "the mounts, which hide it", false } };
    d->line[MIN_OF(d->size, (uint32_t)sizeof d->line - 1)] = '\0';
    const char *target = target_in(d->line);
    for (size_t i = 0; target && d->count < DENIED_MAX && i < ARRAY_LEN(refusals); i++) {
        if (!strstr(d->line, refusals[i].words))
            continue;
        d->list[d->count].is_shell = refusals[i].is_shell;
        (void)snprintf(d->list[d->count].detail, sizeof d->list[0].detail, "%s, stopped by %s", target,
                       refusals[i].layer);
        d->count++;
        return;
    }
}

void denied_feed(struct denied *d, const char *data, size_t size)
{
    for (; size && d->count < DENIED_MAX; data++, size--) {
        if (*data == '\n') {
            on_line(d);
            d->size = 0;
        } else if (d->size < sizeof d->line - 1) {
            d->line[d->size++] = *data ? *data : ' ';
        }
    }
}

const char *denied_found(const struct denied *d, bool means_to_write)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->list[i].is_shell || means_to_write)
            return d->list[i].detail;
    return NULL;
}
