/* growth.h - scans of a text that grows at its end, as that of a context's cells: each goes on where the last one of
 * its beginning has stopped, and its report is the same as that of a scan of the whole.
 *
 *   bytes, pieces, patterns   text.h: what was found so that nothing behind can change it
 *   tree                      tree-sitter's parse of a tree that was edited at its end. What is told to be new begins
 *                             two statements before that: of all in front of these the next token is known, so that a
 *                             parse of the whole has made the same of it before it saw the text's end. Only where
 *                             neither tree has an error; otherwise the whole is parsed
 *   shape, literals           shape.h and literal.h, up to the same place
 *
 * The resolver, what runs inside and the report are made anew. What a scan's bounds have cut is not gone on from.
 * Kept are the newest text's state and the one that it was made of, since the newest text may be one that was refused.
 * One owner's texts only, in one process: what is kept is as good as what its earlier texts made of this process.
 */
#pragma once
#include <tree_sitter/api.h>

#include "scan/literal.h"
#include "scan/shape.h"
#include "scan/text.h"

struct scan;

struct grown {
    struct text_state text;
    TSTree *tree;      /* in memory.h's pool, held */
    uint32_t boundary; /* where its last two statements begin; 0: it has fewer */
    struct shape shape;
    struct literals_state literals;
};

#define GROWTH_MAX_BYTES (64u * KIB)
#define GROWTH_WORDS_MAX (1u * MIB)
struct growth { /* begins with zeros */
    struct grown made[3];
    struct grown *newest, *older, *next;
    const struct grown *basis; /* of the scan that is under way; NULL: none */
    bool is_kept;              /* so is its state */
    bool is_parsed_on;         /* its tree was made of the basis' one */
    TSTree *passing;           /* its tree, where that is not kept */
    struct text_state scratch;
    struct arena words; /* what the literals are made of, also those of states that are gone */
    size_t words_bytes;
    char text[GROWTH_MAX_BYTES]; /* the newest state's, or the older one's with something behind it */
};

/* Before scan_text(), with scan.growth set, and when all is done. */
void growth_begin(struct growth *g, const char *text, uint32_t size);
void growth_end(struct growth *g, const struct scan *s);

/* The engine's. */
struct text_state *growth_text(struct growth *g);                    /* to go on from and to leave */
struct text_state *growth_scratch(struct growth *g);                 /* for what is not left */
TSTree *growth_edited(const struct growth *g, const struct scan *s); /* the basis' one, the caller's; or NULL */
/* Its tree, which is g's from now on; or NULL. */
void growth_tree(struct growth *g, const struct scan *s, TSTree *tree, bool is_parsed_on);
void growth_shape(struct growth *g, const TSLanguage *language, TSNode root, char ret[static SHAPE_TEXT_MAX]);
void growth_literals(struct growth *g, struct scan *s, TSNode root, struct literals *ret);
/* The parser is gone, and so is what the pool was used for but trees. is_whole: nothing was cut. */
void growth_hold(struct growth *g, bool is_whole);
