/* rule.h - the rules of rules/LANG.yaml and rules/text.yaml in memory, ready to be matched with facts.
 *
 * A rule is any of its items; an item is one kind of thing (a call, an import, ...) with names or a regex, and further
 * conditions that must all hold. Facts find their items through a hash table of names, so a fact costs the same however
 * many rules there are. Everything lives in the rule set's arena but compiled patterns, which ruleset_done() frees.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "config/profile.h"
#include "scan/fact.h"
#include "scan/filter.h"
#include "scan/pattern.h"
#include "scan/resemble.h"
#include "scan/stamp.h"

#define RULES_MAX       512u
#define RULE_MAX_ITEMS  64u
#define RULES_MAX_BYTES (512u * 1024u)
#define RULES_FILES     STAMP_RULE_FILES
#define RULE_MAX_WITH   8u

enum item_kind {                         /* the first ones are enum fact_kind */
                 ITEM_TEXT = FACT_KINDS, /* a regex over the raw text */
                 ITEM_QUERY,             /* a tree-sitter query */
                 ITEM_KINDS
};

struct item {
    uint8_t kind;
    bool wants_dynamic, wants_dynamic_args;
    uint16_t rule;
    struct pattern *regex;              /* string, text; query: what a text must hold for it, or NULL */
    struct pattern *any_arg, *no_arg;   /* some argument matches; none does */
    struct pattern *arg[FACT_MAX_ARGS]; /* that one matches */
    unsigned filter_index;              /* string, text */
    const char *query;
    uint32_t query_line; /* where it stands, for messages */
};

struct rule {
    const char *name, *family, *message;
    const char *need;                   /* a fact about what the program needs, no suspicion; NULL: a finding */
    const char *with[RULE_MAX_WITH];    /* counts only where a rule of that name, need or family was found, too */
    const char *without[RULE_MAX_WITH]; /* only where none of these was */
    uint8_t severity;                   /* enum severity */
    uint32_t risk_increase;             /* milli */
    uint32_t line;                      /* in its file */
    bool is_off;                        /* not for this language */
    bool is_talk;                       /* a text about it is none: see talk.c */
    uint8_t takes_candidates;           /* 1: candidate.h; what the file does not say follows from the severity */
};

struct name_entry { /* a name, or the part before «*», and an item that it leads to */
    uint32_t hash;
    uint8_t kind;
    bool is_prefix;
    const char *name;
    uint32_t size;
    struct item *item;
    struct name_entry *next;
};

#define NAME_BUCKETS 1024u
#define PREFIX_MAX   64u

struct ruleset {
    struct arena arena;
    enum language language;
    uint32_t rule_count;
    struct rule rules[RULES_MAX];
    struct name_entry *names[NAME_BUCKETS];
    uint64_t prefix_sizes;                    /* bit n: some prefix has n bytes */
    struct pattern *patterns;                 /* all */
    struct named_list *named;                 /* rules_list.h */
    struct item_list *lists[ITEM_KINDS];      /* items that no name leads to: string, text, query */
    struct filter string_filter, text_filter; /* which of the strings' and texts' patterns need a look */
    char id[24];
    /* For programs inside a program: the bytes of all files, read before the scan is confined, and the sets that were
     * made of them so far. */
    struct buf sources[RULES_FILES];
    const char *dir;
    const struct strlist *patterns_added; /* borrowed */
    struct ruleset *others[LANG_COUNT];
    struct resemblance resemblance; /* of the outermost program's set; none in the others */
};
struct item_list {
    struct item *item;
    struct item_list *next;
};

/* Reads dir/lists.yaml, dir/LANG.yaml and dir/text.yaml, where they are. BLAME_HOST and file:line on error. */
int ruleset_load(struct ruleset *ret, const char *dir, enum language language, struct error *err);
/* agixt.analysis.patterns: records «name=..US regex=..US risk_increase=..». BLAME_CALLER when a regex does not compile.
 */
struct strlist;
int ruleset_add_patterns(struct ruleset *s, const struct strlist *records, struct error *err);
/* Compiles every pattern and query now, so that a mistake is told: for tests and for `make`. */
int ruleset_check(struct ruleset *s, struct error *err);
void ruleset_done(struct ruleset *s);
/* By its name, its need or its family. */
bool rule_is_called(const struct rule *r, const char *word);
/* The rules of another language, of the same files; made when it is first asked for. NULL: out of memory, or they
 * cannot be read. Lives as long as `s`. */
struct ruleset *ruleset_other(struct ruleset *s, enum language language);

/* For the reader of the files (rules_yaml.c). */
int rules_read(struct ruleset *s, const char *path, const char *bytes, size_t size, struct error *err);
struct pattern *ruleset_pattern(struct ruleset *s, const char *source);
void ruleset_add_item(struct ruleset *s, struct item *item);
void ruleset_index(struct ruleset *s); /* when rules were added: drops those of other languages, makes the filters */
void ruleset_add_name(struct ruleset *s, struct item *item, const char *name);

/* Calls `found` for each item of that kind whose name list holds `name`; order is not defined. */
typedef void item_found(void *ctx, const struct item *item);
void ruleset_find(const struct ruleset *s, uint8_t kind, const char *name, item_found *found, void *ctx);
