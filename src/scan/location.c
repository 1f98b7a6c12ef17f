/* location.c - bytes to lines, columns and excerpts; steps and time. */
#include "base/clock.h"
#include "scan/engine.h"
#include "base/utf8.h"

bool scan_stop(struct scan_ctx *c)
{
    if (c->is_cut)
        return true;
    if ((++c->steps & 1023) == 0 && c->deadline_us && clock_cpu_us() > c->deadline_us)
        c->is_cut = true;
    return c->is_cut;
}

bool fact_emit(struct scan_ctx *c, const struct fact *f)
{
    return !scan_stop(c) && c->emit(c, f);
}

int scan_find_lines(struct scan *s)
{
    const char *text = s->ctx.text, *end = text + s->ctx.size, *p = text;
    uint32_t count = 1, i = 1;
    for (; p < end && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        count++;
    s->ctx.lines = calloc(count, sizeof *s->ctx.lines);
    if (!s->ctx.lines)
        return -ENOMEM;
    for (p = text; i < count && (p = memchr(p, '\n', (size_t)(end - p))); p++)
        s->ctx.lines[i++] = (uint32_t)(p + 1 - text);
    s->ctx.line_count = count;
    return 0;
}

static uint32_t line_in(const struct scan_ctx *c, uint32_t byte)
{
    uint32_t low = 0, high = c->line_count; /* lines[low] <= byte < lines[high] */
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (c->lines[middle] <= byte)
            low = middle;
        else
            high = middle;
    }
    return low + 1;
}

uint32_t scan_line(const struct scan *s, uint32_t byte)
{
    return line_in(&s->ctx, byte);
}

uint32_t scan_column(const struct scan *s, uint32_t byte)
{
    uint32_t column = 1;
    for (uint32_t i = s->ctx.lines[scan_line(s, byte) - 1]; i < byte; i++)
        column += ((unsigned char)s->ctx.text[i] & 0xc0) != 0x80;
    return column;
}

void scan_place(const struct scan_ctx *c, uint32_t byte, struct fact *f)
{
    f->byte = byte;
    if (c->lines) {
        f->line = line_in(c, byte);
        f->column = 0;
        return;
    }
    f->line = f->column = 1;
    for (uint32_t i = 0; i < byte && i < c->size; i++)
        if (c->text[i] == '\n') {
            f->line++;
            f->column = 1;
        } else
            f->column += ((unsigned char)c->text[i] & 0xc0) != 0x80;
}

/* ---- excerpts ---- */

#define BEFORE 60u /* bytes of a long line that are shown before the place */

const char *scan_excerpt(struct scan *s, uint32_t byte, uint8_t *ret_at)
{
    const char *text = s->ctx.text;
    uint32_t line = scan_line(s, byte), start = s->ctx.lines[line - 1];
    uint32_t end = line < s->ctx.line_count ? s->ctx.lines[line] - 1 : s->ctx.size;
    while (start < byte && (text[start] == ' ' || text[start] == '\t'))
        start++;
    if (byte - start > BEFORE)
        for (start = byte - BEFORE; start < byte && ((unsigned char)text[start] & 0xc0) == 0x80;)
            start++;
    char out[SCAN_MAX_EXCERPT + 1];
    uint32_t n = 0;
    *ret_at = 0;
    for (uint32_t i = start, size; i < end; i += size) {
        size = (uint32_t)utf8_size(text + i, end - i);
        if (i <= byte)
            *ret_at = (uint8_t)n;
        if (n + MAX_OF(size, 1u) > SCAN_MAX_EXCERPT)
            break;
        if (size && is_printable(text + i, size))
            memcpy(out + n, text + i, size);
        else
            memset(out + n, text[i] == '\t' ? ' ' : '?', MAX_OF(size, 1u));
        size = MAX_OF(size, 1u);
        n += size;
    }
    while (n && out[n - 1] == ' ')
        n--;
    *ret_at = (uint8_t)MIN_OF(*ret_at, n);
    return arena_copy_bytes(&s->arena, out, n);
}
