#include "scan/resemble.h"

#include <stdio.h>
#include "base/utf8.h"

static uint32_t hash_of(const char *p, size_t n)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 16777619u;
    return h;
}

/* ---- the file ---- */

/* «-3200 » at the beginning of a line: at most six digits. */
static bool read_number(const char **at, const char *end, int32_t *ret)
{
    const char *p = *at;
    const bool is_negative = p < end && *p == '-';
    int32_t value = 0;
    p += is_negative;
    const char *digits = p;
    for (; p < end && p - digits < 6 && *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (*p - '0');
    if (p == digits || (p < end && *p != ' '))
        return false;
    *at = p;
    *ret = is_negative ? -value : value;
    return true;
}

static bool read_setting(struct resemblance *w, const char *p, const char *end)
{
    const struct {
        const char *word;
        int32_t *value;
    } table[] = { { "base ", &w->base }, { "medium ", &w->medium }, { "high ", &w->high }, { "doubt ", &w->doubt } };
    for (size_t i = 0; i < ARRAY_LEN(table); i++) {
        const size_t n = strlen(table[i].word);
        if ((size_t)(end - p) <= n || memcmp(p, table[i].word, n) != 0)
            continue;
        p += n;
        return read_number(&p, end, table[i].value) && p == end;
    }
    return false;
}

static struct resemblance_weight *slot_of(const struct resemblance *w, uint32_t hash, const char *piece, size_t size)
{
    uint32_t i = hash % RESEMBLANCE_SLOTS;
    for (;; i = (i + 1) % RESEMBLANCE_SLOTS) { /* at most half of them are taken */
        const struct resemblance_weight *s = &w->slots[i];
        if (!s->milli || (s->hash == hash && s->size == size && memcmp(s->piece, piece, size) == 0))
            return (struct resemblance_weight *)s;
    }
}

static const char *read_weight(struct resemblance *w, const char *p, const char *end)
{
    int32_t milli;
    if (!read_number(&p, end, &milli) || milli < 1 || milli > UINT16_MAX)
        return "a weight is a number between 1 and 65535, in thousandths";
    if (end - p < 2 || (size_t)(end - p - 1) >= PIECE_MAX)
        return "behind a weight stand a blank and a piece of at most 47 characters";
    const size_t size = (size_t)(end - ++p);
    for (size_t i = 0; i < size; i++)
        if (p[i] < ' ' || p[i] > '~')
            return "a piece is plain text";
    if (w->count == RESEMBLANCE_MAX_WEIGHTS)
        return "too many weights";
    const uint32_t hash = hash_of(p, size);
    struct resemblance_weight *s = slot_of(w, hash, p, size);
    if (s->milli)
        return "a piece is there twice";
    *s = (struct resemblance_weight){
        .piece = p, .hash = hash, .milli = (uint16_t)milli, .size = (uint8_t)size, .index = (uint16_t)w->count++
    };
    return NULL;
}

static bool is_setting(const char *p, const char *end)
{
    return p < end && *p >= 'a' && *p <= 'z';
}

int resemblance_read(struct resemblance *ret, const char *path, const char *bytes, size_t size, struct error *err)
{
    const char *p = bytes, *all = bytes + size;
    memset(ret, 0, sizeof *ret);
    for (unsigned line = 1; size && p < all; line++) {
        const char *end = memchr(p, '\n', (size_t)(all - p)), *why = NULL;
        if (!end)
            end = all;
        if (is_setting(p, end))
            why = read_setting(ret, p, end) ? NULL : "expected base, medium, high or doubt, and a number";
        else if (p < end && *p != '#')
            why = read_weight(ret, p, end);
        if (why)
            return err_set(err, -EINVAL, BLAME_HOST, "RULES", "%s:%u: %s", path, line, why);
        p = end + (end < all);
    }
    if (ret->count && (ret->doubt >= ret->medium || ret->medium > ret->high))
        return err_set(err, -EINVAL, BLAME_HOST, "RULES", "%s: doubt must be below medium, and high not", path);
    return 0;
}

/* ---- a program ---- */

struct adding {
    const struct resemblance *w;
    struct resembled *r;
    bool is_inside;
    uint32_t byte;
    struct resembled_state *state;
};

static void keep_top(struct resembled *r, const struct resemblance_weight *weight, uint32_t byte)
{
    unsigned i = RESEMBLANCE_TOP;
    for (; i > 0 && (!r->top[i - 1].weight || r->top[i - 1].weight->milli < weight->milli); i--)
        if (i < RESEMBLANCE_TOP)
            r->top[i] = r->top[i - 1];
    if (i == RESEMBLANCE_TOP)
        return;
    r->top[i].weight = weight;
    r->top[i].byte = byte;
}

static void on_piece(void *ctx, const char *piece, size_t size, size_t at)
{
    struct adding *a = ctx;
    const struct resemblance_weight *s = slot_of(a->w, hash_of(piece, size), piece, size);
    uint64_t *seen = &a->r->seen[s->index / 64];
    const uint64_t bit = UINT64_C(1) << s->index % 64;
    if (!s->milli || *seen & bit)
        return;
    *seen |= bit;
    a->r->sum += s->milli;
    keep_top(a->r, s, a->is_inside ? a->byte : (uint32_t)(at ? at - 1 : 0));
}

void resemble_add(const struct resemblance *w, struct resembled *r, const char *text, size_t size,
                  enum piece_comment comment, bool is_inside, uint32_t byte)
{
    struct adding a = { w, r, is_inside, byte, NULL };
    if (w->tell)
        pieces_of(text, size, comment, w->tell, NULL);
    else if (resemblance_is_there(w))
        pieces_of(text, size, comment, on_piece, &a);
}

static void on_resumes(void *ctx, size_t at)
{
    struct adding *a = ctx;
    *a->state = (struct resembled_state){ at, *a->r };
}

void resemble_go_on(const struct resemblance *w, struct resembled *r, const char *text, size_t size,
                    enum piece_comment comment, struct resembled_state *s)
{
    struct adding a = { w, r, false, 0, s };
    *r = s->seen;
    if (resemblance_is_there(w))
        pieces_from(text, size, s->at, comment, on_piece, on_resumes, &a);
}

int32_t resemble_score(const struct resemblance *w, const struct resembled *r)
{
    return w->base + r->sum;
}

/* «os .system» -> «os.system», «curl -s» stays. */
static const char *as_written(const struct resemblance_weight *s, struct arena *a)
{
    const char *blank = memchr(s->piece, ' ', s->size), *end = s->piece + s->size;
    if (!blank || blank + 1 == end || !strchr("|&><`~$@*/.\\#%!+=:", blank[1]))
        return arena_copy_bytes(a, s->piece, s->size);
    return arena_printf(a, "%.*s%.*s", (int)(blank - s->piece), s->piece, (int)(end - blank - 1), blank + 1);
}

const char *resemble_words(const struct resembled *r, struct arena *a)
{
    const char *words = "";
    for (unsigned i = 0; i < RESEMBLANCE_TOP && r->top[i].weight; i++)
        words = arena_printf(a, "%s%s«%s»", words, i ? ", " : "", as_written(r->top[i].weight, a));
    return words;
}
