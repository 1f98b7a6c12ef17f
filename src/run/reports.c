#include "run/reports.h"

#include <fcntl.h>
#include <time.h>
#include "base/clock.h"

int reports_open(struct reports *r)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return -errno;
    r->pipe = ends[0];
    r->start_ms = clock_ms();
    return ends[1];
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("_.:/@ -", c));
}

/* Steps over `text` if it comes next. */
static bool take(const char **p, const char *end, const char *text)
{
    size_t n = strlen(text);
    if ((size_t)(end - *p) < n || memcmp(*p, text, n) != 0)
        return false;
    *p += n;
    return true;
}

const char *reports_parse(const char *line, size_t size, char name[static REPORT_MAX_NAME + 1])
{
    static const char *const types[] = { "blocked_module", "blocked_builtin", "blocked_command" };
    const char *p = line, *end = line + size, *type = NULL;
    if (!take(&p, end, "{\"type\":\""))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(types) && !type; i++)
        if (take(&p, end, types[i]))
            type = types[i];
    if (!type || !take(&p, end, "\",\"detail\":\""))
        return NULL;
    size_t n = 0;
    while (p + n < end && n <= REPORT_MAX_NAME && is_name_byte(p[n]))
        n++;
    const char *rest = p + n;
    if (n == 0 || n > REPORT_MAX_NAME || !take(&rest, end, "\"}") || rest != end)
        return NULL;
    memcpy(name, p, n);
    name[n] = '\0';
    return type;
}

static void on_line(struct reports *r)
{
    struct guard_report *next = &r->list[r->count];
    const size_t size = strlen(REPORT_BEGUN);
    if (!r->lines && !r->has_begun && r->line_size == size && memcmp(r->line, REPORT_BEGUN, size) == 0) {
        r->has_begun = true;
        r->line_size = 0;
        return;
    }
    if (++r->lines >= REPORTS_MAX)
        r->is_full = true;
    next->type = r->line_size <= sizeof r->line ? reports_parse(r->line, r->line_size, next->name) : NULL;
    r->line_size = 0;
    for (uint32_t i = 0; next->type && i < r->count; i++)
        if (r->list[i].type == next->type && str_eq(r->list[i].name, next->name))
            next->type = NULL;
    if (!next->type)
        return;
    next->at_ms = clock_ms() - r->start_ms;
    r->count++;
}

static void on_bytes(struct reports *r, const char *p, size_t n)
{
    for (; n && !r->is_full; p++, n--) {
        if (*p == '\n') {
            on_line(r);
            continue;
        }
        if (r->line_size < sizeof r->line)
            r->line[r->line_size++] = *p;
        else
            r->line_size = sizeof r->line + 1; /* too long, whatever follows */
    }
}

void reports_read(struct reports *r)
{
    char chunk[4096];
    while (r->pipe >= 0 && !r->is_full) {
        ssize_t n = read(r->pipe, chunk, MIN_OF(sizeof chunk, (size_t)(REPORTS_MAX_BYTES - r->bytes)));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        if (n > 0)
            on_bytes(r, chunk, (size_t)n);
        r->bytes += n > 0 ? (uint32_t)n : 0;
        /* end of file, or as much as is read of a run. The pipe stays open: a writer meets a full one, not a signal
         */
        r->is_full |= n <= 0 || r->bytes >= REPORTS_MAX_BYTES;
    }
}

int reports_poll_fd(const struct reports *r)
{
    return r->is_full ? -1 : r->pipe;
}

void reports_done(struct reports *r)
{
    closep(&r->pipe);
}
