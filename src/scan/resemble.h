/* resemble.h - how much a program resembles those that were known to act badly: a sum of weights over the pieces of its
 * text (piece.h), beside the rules.
 *
 * It is statistics, and says so: the finding `scan-resemblance` names the pieces that weighed most. No weight is
 * negative, so nothing that is added to a program makes it look better; each piece counts once. The weights are data,
 * rules/resemblance.weights, made by scripts/resemblance.py. What they are worth is measured with authors whose
 * programs they were not made of: bench/README.md.
 *
 *   - from `medium` and from `high` on there is a finding of that severity, never a critical one, and it refuses
 * nothing
 *   - below `doubt`, where next to nothing in a shell script has a weight, findings of rules that are less than
 * critical are told as they are, but do not lower the level: `scan-unsupported` says so
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "scan/piece.h"

#define RESEMBLANCE_MAX_WEIGHTS 4000u
#define RESEMBLANCE_SLOTS       8192u
#define RESEMBLANCE_MAX_BYTES   (256u * 1024u)
#define RESEMBLANCE_TOP         5u
#define RESEMBLANCE_MIN_DOUBTED 200u /* bytes of a shell script */

struct resemblance {                   /* the weights */
    int32_t base, medium, high, doubt; /* milli */
    uint32_t count;
    piece_found *tell; /* for who makes the weights: is told each piece, with NULL as its context */
    struct resemblance_weight {
        const char *piece; /* borrowed from the file's bytes, without a NUL */
        uint32_t hash;
        uint16_t milli; /* 0: a free slot */
        uint16_t index;
        uint8_t size;
    } slots[RESEMBLANCE_SLOTS];
};

/* What was seen of a program so far. */
struct resembled {
    uint64_t seen[(RESEMBLANCE_MAX_WEIGHTS + 63) / 64];
    int32_t sum; /* milli, without the base */
    struct {
        const struct resemblance_weight *weight;
        uint32_t byte;
    } top[RESEMBLANCE_TOP]; /* heaviest first */
};

/* The file's bytes, which must live as long as *ret. BLAME_HOST with file:line on error. No bytes: no weights. */
int resemblance_read(struct resemblance *ret, const char *path, const char *bytes, size_t size, struct error *err);
static inline bool resemblance_is_there(const struct resemblance *w)
{
    return w && w->count;
}
/* A text of the program; `byte`: where all of it stands, when `is_inside` (a program inside the program). */
void resemble_add(const struct resemblance *w, struct resembled *r, const char *text, size_t size,
                  enum piece_comment comment, bool is_inside, uint32_t byte);
/* The same of a program's own text that grows: goes on from *s, which begins with zeros, and leaves there what holds
 * whatever comes behind the text. *r: what was seen of all of it. */
struct resembled_state {
    size_t at;
    struct resembled seen;
};
void resemble_go_on(const struct resemblance *w, struct resembled *r, const char *text, size_t size,
                    enum piece_comment comment, struct resembled_state *s);
int32_t resemble_score(const struct resemblance *w, const struct resembled *r); /* milli */
/* The heaviest pieces as people write them, with commas. */
const char *resemble_words(const struct resembled *r, struct arena *a);
