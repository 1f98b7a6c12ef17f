/* engine.h - one text through its grammar, its resolver and the rules.
 *
 * The worker's part, after it is confined. One scan at a time in a process: patterns share their work space.
 */
#pragma once
#include "scan/candidate.h"
#include "scan/embedded.h"
#include "scan/report.h"
#include "scan/resolver.h"
#include "scan/rule.h"
#include "scan/shape.h"

#define SCAN_MAX_SYNTAX_BYTES \
    (1u << 20) /* of longer text only this much is parsed, and the scan counts as incomplete */
#define SCAN_MAX_NESTING                                                                        \
    1000u /* open brackets, strings and comments included: what people write has fewer than 100 \
           */
#define SCAN_RULE_MAX_FINDINGS 3u

struct scan_hit {
    const struct rule *rule;
    uint32_t byte;
    /* of a program inside this one, else NULL: where it was found, and the line there */
    const char *path, *text;
    uint8_t text_at;
    bool is_talk, is_lonely, is_guess; /* is_guess: candidate.h */
};

struct scan {
    struct scan_ctx ctx; /* first: what the resolver sees */
    struct ruleset *rules;
    struct arena arena; /* what resolvers allocate, and the report's strings: lives as long as the scan */
    uint8_t *hits_of;   /* findings so far, for each rule */
    struct scan_hit hits[RULES_MAX];
    uint32_t hit_count;
    bool has_talk, is_meant;       /* talk.c */
    struct candidates *candidates; /* NULL: none yet */
    bool is_guessing;
    struct growth *growth; /* what it goes on from; NULL: this text is scanned by itself */
    struct {
        const char *name;
        uint32_t byte;
        uint8_t kind;
    } names[SCAN_MAX_NAMES];
    uint32_t name_count;
    bool has_syntax;
    char shape[SHAPE_TEXT_MAX]; /* "" without syntax */
    const char *why_cut;        /* NULL: complete */
    struct resembled resembled; /* the outermost program's, of all texts */
    uint32_t folded_bytes;      /* ... and how much of it was read of facts */
    uint64_t begun_us;
    uint32_t fact_count;
    const struct fact *fact;                                   /* while its items are looked at */
    void (*trace)(const struct scan *s, const struct fact *f); /* for people who write rules; may be NULL */
};

int scan_begin(struct scan *s, struct ruleset *rules, const char *text, size_t size, uint32_t timeout_ms);
/* text.c: patterns over the raw text, bytes that should not be there. Cheap, and independent of what syntax does. */
void scan_text(struct scan *s);
/* The tree, and then the programs inside this one (embedded.h). */
void scan_syntax(struct scan *s);
/* What the engine itself has seen: a flow, for rules/text.yaml to judge. */
void scan_observe(struct scan *s, const char *what, uint32_t byte);
/* What was found so far. Its strings live as long as the scan. */
void scan_report(struct scan *s, struct scan_report *ret);
void scan_done(struct scan *s);

/* For candidate.c: whether all conditions of an item hold for a fact; a finding that is a guess. */
bool scan_item_holds(struct scan *s, const struct item *item, const struct fact *f);
void scan_hit_by(struct scan *s, uint16_t rule, uint32_t byte);

/* mention.c: sets is_meant when a call takes what a rule of that kind has found so far. */
void talk_look(struct scan *s, const struct fact *f);
/* After everything was looked at: findings of such rules are information only. */
bool talk_is_all(const struct scan *s);

/* Of enum embedded_language: how its comments begin, where a line of them does nothing. */
enum piece_comment scan_comment(uint8_t language);

/* place.c: line (from 1) of a byte, and its column in characters. */
uint32_t scan_line(const struct scan *s, uint32_t byte);
uint32_t scan_column(const struct scan *s, uint32_t byte);
int scan_find_lines(struct scan *s);
/* Excerpt of the line around a byte: valid UTF-8, printable. *ret_at: where in it the byte is. */
const char *scan_excerpt(struct scan *s, uint32_t byte, uint8_t *ret_at);
