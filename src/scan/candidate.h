/* candidate.h - a second chance for acts whose arguments could not be folded.
 *
 * A resolver loses values on their way, and then a file is deleted, written or read, or a program started, of which
 * nothing is known, although the program's own literals say it. So when a resolver is done, the literals (literal.h) of
 * the fitting shape are tried in the place of what is not known:
 *
 *   - where a rule asks for an argument: paths, and rows of literals as one path («.aws», «credentials»)
 *   - where an unknown command is started: rows of literals as its words, and literals that are a shell's line
 *   - where a text runs that is not there to be read: literals of that language
 *   - where files of unknown names are written: the pairs of a map
 *
 * A literal that stands in a known argument of an act is where it belongs and is no candidate. Only rules of high and
 * critical severity take part (`candidates:` in a rule says otherwise). What is found so is a guess: its severity is
 * medium, it counts half, its message says so, and no other finding, need or bound follows from it.
 */
#pragma once
#include <tree_sitter/api.h>
#include "scan/rule.h"

struct scan;
#define CANDIDATE_MAX_ACTS   64u
#define CANDIDATE_MAX_KNOWN  256u
#define CANDIDATE_MAX_TRIES  4096u
#define CANDIDATE_MAX_INSIDE 48u /* texts and commands that are queued */

struct candidate_act { /* an item of a rule that would match if an argument were known */
    const struct item *item;
    struct fact fact;
    uint8_t arg;
    bool is_below_home; /* ~/{} */
};

struct candidates {
    struct candidate_act acts[CANDIDATE_MAX_ACTS];
    struct fact known[CANDIDATE_MAX_KNOWN]; /* acts with known arguments */
    struct fact commands[16];               /* programs that are started, not all of whose words are known */
    uint32_t act_count, known_count, command_count, tries, inside;
    bool has_unknown_write, has_program; /* has_program: some literal reads as one, or as a command */
};

/* An item whose names fit the fact, and whose other conditions do not hold. */
void candidate_item(struct scan *s, const struct item *item, const struct fact *f);
/* Each fact. */
void candidate_fact(struct scan *s, const struct fact *f);
/* When the resolver is done. */
void candidate_look(struct scan *s, TSNode root);
