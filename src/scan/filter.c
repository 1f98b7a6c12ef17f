/* filter.c - reads regexes only as far as it understands them: whatever is unusual makes the pattern one that is always
 * looked for. */
#include "scan/filter.h"

#define MAX_NEEDLES 64u
#define NEEDLE      4u

struct needles {
    uint8_t text[MAX_NEEDLES][NEEDLE];
    unsigned count;
};

struct run { /* literal characters one after the other, and the rarest four of all runs so far */
    uint8_t text[NEEDLE], best[NEEDLE];
    unsigned size, best_cost; /* best_cost 0: none yet */
};

static uint8_t fold(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static uint32_t key_of(const uint8_t t[static NEEDLE])
{
    return (uint32_t)t[0] << 24 | (uint32_t)t[1] << 16 | (uint32_t)t[2] << 8 | t[3];
}

static unsigned slot_of(uint32_t key)
{
    return key * 2654435761u >> 21; /* 11 bits */
}

/* ---- reading ---- */

/* Behind a class that begins at p; NULL: not understood. */
static const char *skip_class(const char *p, const char *end)
{
    p++;
    p += p < end && *p == '^';
    p += p < end && *p == ']';
    for (; p < end && *p != ']'; p++) {
        if (*p == '[')
            return NULL; /* [:alpha:] */
        p += *p == '\\';
    }
    return p < end ? p + 1 : NULL;
}

/* Behind a group that begins at p. */
static const char *skip_group(const char *p, const char *end)
{
    unsigned depth = 0;
    while (p && p < end) {
        if (*p == '[') {
            p = skip_class(p, end);
            continue;
        }
        depth += *p == '(';
        depth -= *p == ')';
        if (*p == '\\')
            p++;
        p++;
        if (depth == 0)
            return p;
    }
    return NULL;
}

static bool is_optional(const char *p, const char *end)
{
    return p < end && (*p == '?' || *p == '*' || (*p == '{' && (p + 1 == end || p[1] == '0' || p[1] == ',')));
}

static bool is_quantifier(const char *p, const char *end)
{
    return p < end && (*p == '+' || *p == '{' || is_optional(p, end));
}

/* Behind a quantifier and its ? or +. */
static const char *skip_quantifier(const char *p, const char *end)
{
    if (*p == '{')
        while (p < end && *p != '}')
            p++;
    if (p < end)
        p++;
    return p < end && (*p == '?' || *p == '+') ? p + 1 : p;
}

static bool add_needle(struct needles *n, const uint8_t text[static NEEDLE])
{
    if (n->count == MAX_NEEDLES)
        return false;
    memcpy(n->text[n->count++], text, NEEDLE);
    return true;
}

static bool read_alternatives(const char *p, const char *end, unsigned depth, struct needles *ret);

/* The literal byte that an escape stands for, 0: a class or an assertion, -1: not understood. */
static int escaped(char c)
{
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
        return (uint8_t)c;
    return strchr("bBsSdDwWAzZnrtv", c) ? 0 : -1;
}

/* How often a byte stands in programs, roughly: common letters cost most. */
static unsigned cost_of(uint8_t c)
{
    static const char common[] = "etaoinsrlcdupmf";
    const char *at = c ? strchr(common, c) : NULL;
    return at                                                 ? 20u - (unsigned)(at - common)
           : (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? 4
           : c == ' '                                         ? 20
                                                              : 8;
}

static unsigned cost_of_four(const uint8_t t[static NEEDLE])
{
    return cost_of(t[0]) + cost_of(t[1]) + cost_of(t[2]) + cost_of(t[3]);
}

static void run_add(struct run *r, uint8_t c)
{
    if (r->size == NEEDLE) {
        memmove(r->text, r->text + 1, NEEDLE - 1);
        r->size--;
    }
    r->text[r->size++] = fold(c);
    unsigned cost = cost_of_four(r->text);
    if (r->size == NEEDLE && (!r->best_cost || cost < r->best_cost)) {
        memcpy(r->best, r->text, NEEDLE);
        r->best_cost = cost;
    }
}

/* What the commonest of its needles costs: as often as that a text is looked at. */
static unsigned worst_of(const struct needles *n)
{
    unsigned worst = 0;
    for (unsigned i = 0; i < n->count; i++)
        worst = MAX_OF(worst, cost_of_four(n->text[i]));
    return worst;
}

/* A group that must be there: its needles may stand for the whole sequence, those of the rarest group of all. */
static void read_group(const char *from, const char *behind, const char *end, unsigned depth, struct needles *keep)
{
    struct needles inner = { 0 };
    bool is_plain = from[1] != '?' || from[2] == ':';
    const char *inside = from[1] == '?' ? from + 3 : from + 1;
    if (is_plain && !is_optional(behind, end) && depth < 4 &&
        read_alternatives(inside, behind - 1, depth + 1, &inner) && (!keep->count || worst_of(&inner) < worst_of(keep)))
        *keep = inner;
}

/* What stands at *p, which moves behind it: a literal byte, 0 for what is none, -1 when it is not understood. */
static int read_atom(const char **p, const char *end, unsigned depth, struct needles *group)
{
    const char *from = *p;
    int c = (uint8_t) * (*p)++;
    switch (c) {
    case '\\':
        return *p == end ? -1 : escaped(*(*p)++);
    case '[':
        return (*p = skip_class(from, end)) ? 0 : -1;
    case '(':
        if (!(*p = skip_group(from, end)))
            return -1;
        read_group(from, *p, end, depth, group);
        return 0;
    case '.':
    case '^':
    case '$':
        return 0;
    default:
        return c;
    }
}

/* One alternative without a top-level |: the rarest four literals in a row, else a group's needles. */
static bool read_sequence(const char *p, const char *end, unsigned depth, struct needles *ret)
{
    struct run run = { 0 };
    struct needles group = { 0 };
    while (p < end) {
        int c = read_atom(&p, end, depth, &group);
        if (c < 0)
            return false;
        if (c == 0 || is_optional(p, end))
            run.size = 0;
        else
            run_add(&run, (uint8_t)c);
        if (is_quantifier(p, end)) {
            run.size = 0; /* what is repeated is there once, but no longer just before the next */
            p = skip_quantifier(p, end);
        }
    }
    if (run.best_cost && (!group.count || run.best_cost <= worst_of(&group)))
        return add_needle(ret, run.best);
    *ret = group;
    return group.count > 0;
}

/* Every alternative must have a needle, or the whole has none. */
static bool read_alternatives(const char *p, const char *end, unsigned depth, struct needles *ret)
{
    const char *from = p;
    for (;;) {
        if (p == NULL)
            return false;
        if (p >= end || *p == '|') {
            struct needles n = { 0 };
            if (!read_sequence(from, MIN_OF(p, end), depth, &n))
                return false;
            for (unsigned i = 0; i < n.count; i++)
                if (!add_needle(ret, n.text[i]))
                    return false;
            if (p >= end)
                return true;
            from = ++p;
        } else if (*p == '\\')
            p += 2;
        else if (*p == '[')
            p = skip_class(p, end);
        else if (*p == '(')
            p = skip_group(p, end);
        else
            p++;
    }
}

/* Flags at the beginning: (?i), (?m), (?s) and their combinations; any other syntax of (?...) that changes what a
 * character means is not understood. NULL then. */
static const char *skip_flags(const char *p)
{
    if (p[0] != '(' || p[1] != '?' || !strchr("ims", p[2] ? p[2] : '!'))
        return strstr(p, "(?x") || strstr(p, "(*") ? NULL : p;
    p += 2 + strspn(p + 2, "ims");
    return *p == ')' && !strstr(p, "(?x") && !strstr(p, "(*") ? p + 1 : NULL;
}

void filter_add(struct filter *f, unsigned index, const char *regex)
{
    struct needles n = { 0 };
    const char *p = skip_flags(regex);
    filter_set bit = (filter_set)1 << (index % FILTER_BITS);
    if (!p || f->used > FILTER_SLOTS / 2 || !read_alternatives(p, p + strlen(p), 0, &n)) {
        f->always |= bit;
        return;
    }
    for (unsigned i = 0; i < n.count; i++) {
        uint32_t key = key_of(n.text[i]);
        unsigned slot = slot_of(key);
        while (f->key[slot] && f->key[slot] != key)
            slot = (slot + 1) % FILTER_SLOTS;
        f->used += f->key[slot] == 0;
        f->key[slot] = key;
        f->bits[slot] |= bit;
    }
}

/* ---- looking ---- */

void filter_go_on(const struct filter *f, const char *part, size_t size, struct filter_state *s)
{
    filter_set found = s->found | f->always;
    uint32_t key = s->key;
    for (size_t i = 0; i < size; i++) {
        key = key << 8 | fold((uint8_t)part[i]);
        for (unsigned slot = slot_of(key); f->key[slot]; slot = (slot + 1) % FILTER_SLOTS)
            if (f->key[slot] == key)
                found |= f->bits[slot];
    }
    *s = (struct filter_state){ found, key };
}

filter_set filter_scan(const struct filter *f, const char *text, size_t size)
{
    struct filter_state s = { 0 };
    filter_go_on(f, text, size, &s);
    return s.found;
}
