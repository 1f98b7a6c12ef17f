/* text.c - the raw text: bytes that should not be there, pieces that resemble, patterns.
 *
 * Of a text that grows (growth.h) each part goes on where the last scan of its beginning left it. What was found there
 * is found again in the same order, so that findings, their bounds and what follows from both are the same.
 */
#include "scan/text.h"

#include "base/utf8.h"
#include "scan/engine.h"
#include "scan/growth.h"

/* ---- bytes ---- */

#define LONG_ENCODED 1000u /* digits of base64 or hexadecimal in a row */
#define UTF8_MAX     4u

static bool is_base64(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/* U+202A to U+202E and U+2066 to U+2069: what follows is shown in another order than it is read. */
static bool is_turning(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    return u[0] == 0xe2 &&
           ((u[1] == 0x80 && u[2] >= 0xaa && u[2] <= 0xae) || (u[1] == 0x81 && u[2] >= 0xa6 && u[2] <= 0xa9));
}

static void observe(struct scan *s, struct text_state *t, const char *what, uint32_t byte)
{
    scan_observe(s, what, byte);
    if (t->bytes.count < TEXT_MAX_OBSERVATIONS) {
        t->bytes.seen[t->bytes.count].what = what;
        t->bytes.seen[t->bytes.count++].byte = byte;
    } else
        t->bytes.is_full = true;
}

static void look_at_byte(struct scan *s, struct text_state *t)
{
    const char *text = s->ctx.text;
    const uint32_t i = t->bytes.at;
    const unsigned char c = (unsigned char)text[i];
    uint32_t n = 1;
    t->bytes.encoded = is_base64(c) ? t->bytes.encoded + 1 : 0;
    if (t->bytes.encoded == LONG_ENCODED)
        observe(s, t, "long-encoded", i + 1 - LONG_ENCODED);
    if (c == '(' || c == '[' || c == '{') {
        if (++t->bytes.depth > SCAN_MAX_NESTING && !t->bytes.is_deep) {
            t->bytes.is_deep = true;
            s->why_cut = "nested deeper than a scan looks into";
            observe(s, t, "deep-nesting", i);
        }
    } else if (c == ')' || c == ']' || c == '}')
        t->bytes.depth -= t->bytes.depth > 0;
    else if (c == 0 && !t->bytes.has_nul) {
        t->bytes.has_nul = true;
        observe(s, t, "nul-byte", i);
    } else if (c >= 0x80 && (n = (uint32_t)utf8_size(text + i, s->ctx.size - i)) == 0) {
        n = 1;
        if (!t->bytes.has_invalid)
            observe(s, t, "invalid-utf8", i);
        t->bytes.has_invalid = true;
    } else if (n == 3 && is_turning(text + i))
        observe(s, t, "turned-around", i);
    t->bytes.at = i + n;
}

/* Bytes that no program needs, and brackets without end: what makes parsers slow or blind. */
static void look_at_bytes(struct scan *s, struct text_state *t)
{
    if (t->bytes.is_full)
        memset(&t->bytes, 0, sizeof t->bytes);
    for (uint8_t i = 0; i < t->bytes.count; i++)
        scan_observe(s, t->bytes.seen[i].what, t->bytes.seen[i].byte);
    while (t->bytes.at + UTF8_MAX <= s->ctx.size)
        look_at_byte(s, t);
    if (t->bytes.at == s->ctx.size)
        return;
    struct text_state *end = s->growth ? growth_scratch(s->growth) : t; /* more may come behind these bytes */
    if (end != t)
        end->bytes = t->bytes;
    while (end->bytes.at < s->ctx.size)
        look_at_byte(s, end);
}

/* ---- patterns ---- */

/* What is found whatever comes behind the text. Of a line the first counts, as in scan_hit_by(). */
static void settle_item(const struct scan *s, const struct item *item, struct text_item *t)
{
    size_t at;
    while (t->count < TEXT_MAX_FOUND && t->at <= s->ctx.size) {
        const enum pattern_result r = pattern_find_in_part(item->regex, s->ctx.text, s->ctx.size, t->at, &at);
        if (r != PATTERN_FOUND) {
            t->at = (uint32_t)at;
            return;
        }
        if (!t->count || scan_line(s, t->found[t->count - 1]) != scan_line(s, (uint32_t)at))
            t->found[t->count++] = (uint32_t)at;
        t->at = (uint32_t)at + 1;
    }
}

static void match_item(struct scan *s, const struct item *item, struct text_item *t)
{
    enum pattern_result r = PATTERN_FOUND;
    if (t)
        settle_item(s, item, t);
    for (unsigned i = 0; t && i < t->count && s->hits_of[item->rule] < SCAN_RULE_MAX_FINDINGS; i++)
        scan_hit_by(s, item->rule, t->found[i]);
    for (size_t at = 0, from = t ? t->at : 0; s->hits_of[item->rule] < SCAN_RULE_MAX_FINDINGS; from = at + 1) {
        r = from > s->ctx.size ? PATTERN_NONE : pattern_find(item->regex, s->ctx.text, s->ctx.size, from, &at);
        if (r != PATTERN_FOUND)
            break;
        scan_hit_by(s, item->rule, (uint32_t)at);
    }
    if (r == PATTERN_GAVE_UP && !s->why_cut)
        s->why_cut = "a pattern gave up on this program";
}

static void match_items(struct scan *s, struct text_state *t)
{
    unsigned n = 0;
    filter_go_on(&s->rules->text_filter, s->ctx.text + t->size, s->ctx.size - t->size, &t->filter);
    for (const struct item_list *l = s->rules->lists[ITEM_TEXT]; l; l = l->next, n++)
        if (!s->rules->rules[l->item->rule].is_off && filter_may(t->filter.found, l->item->filter_index))
            match_item(s, l->item, s->growth && n < TEXT_MAX_ITEMS ? &t->items[n] : NULL);
}

void scan_text(struct scan *s)
{
    static struct text_state whole; /* one scan at a time */
    struct text_state *t = s->growth ? growth_text(s->growth) : &whole;
    if (t == &whole)
        memset(t, 0, offsetof(struct text_state, items));
    look_at_bytes(s, t);
    if (!s->ctx.embedded && !s->growth) /* a program inside: embedded.c */
        resemble_add(&s->rules->resemblance, &s->resembled, s->ctx.text, MIN_OF(s->ctx.size, SCAN_MAX_SYNTAX_BYTES),
                     scan_comment(s->rules->language), false, 0);
    else if (!s->ctx.embedded)
        resemble_go_on(&s->rules->resemblance, &s->resembled, s->ctx.text, s->ctx.size,
                       scan_comment(s->rules->language), &t->pieces);
    match_items(s, t);
    t->size = s->ctx.size;
}
