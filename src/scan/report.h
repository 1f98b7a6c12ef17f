/* report.h - what a scan found: the same for every level, so it can be kept by the hash of the code.
 *
 * Crosses from the worker (sandbox-scan) to sandbox-agent as packed bytes (scan_report_pack/unpack, field tables), and
 * is checked as hostile bytes on arrival: a process that owned the worker may lie about findings, nothing else.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "base/pack.h"
#include "base/severity.h"
#include "policy/names.h"

#define SCAN_MAX_FINDINGS 64u
#define SCAN_MAX_NAMES    256u
#define SCAN_MAX_NEEDS    64u
#define SCAN_MAX_EXCERPT  160u

/* A scan's limit is CPU time, so that a program does not become suspicious because the machine is busy. In elapsed time
 * the limit is this many times as long. */
#define SCAN_PATIENCE 8u

struct finding {
    const char *rule, *family, *message;
    const char *text;       /* excerpt of the line, valid UTF-8, at most SCAN_MAX_EXCERPT bytes */
    const char *path;       /* in a program inside the program: «here-document at line 3, python, line 2»; else "" */
    uint32_t line, column;  /* from 1; column in characters */
    uint32_t risk_increase; /* milli */
    uint8_t text_at;        /* where in the excerpt the column is, in bytes */
    uint8_t severity;       /* enum severity; SEVERITY_INFO raises nothing */
};

/* What the program needs to do its work: a fact, which raises nothing by itself. The level decides whether it gets it.
 */
struct scan_need {
    const char *need; /* network, programs, deletion ...: rules/README.md */
    const char *rule, *message, *text;
    uint32_t line, column;
    uint8_t text_at;
};

/* A module imported or a command called, by its plain name: what language rules of a level are compared with. */
struct scan_name {
    const char *name; /* os, os.path, child_process, curl */
    uint32_t line, column;
    uint8_t kind; /* enum name_kind */
};

struct scan_report {
    uint32_t finding_count, need_count, name_count;
    struct finding findings[SCAN_MAX_FINDINGS]; /* worst first, then by line; each rule at most 3 times */
    struct scan_need needs[SCAN_MAX_NEEDS];     /* by line; each rule once, where it was seen first */
    struct scan_name names[SCAN_MAX_NAMES];
    bool is_complete;       /* false: a bound was hit (then there is a finding of rule scan-incomplete, too), or there
                             * is a program inside that could not be read (scan-unread) */
    bool has_syntax;        /* the language's grammar was there and the text was parsed with it */
    uint32_t risk_increase; /* milli: sum over findings, each rule once, at most 1000 */
    uint32_t took_us;       /* parsing and matching, without the worker's start */
    const char *rules_id;   /* changes when a rule does */
    const char *shape;      /* of the program, shape.h; "" where it was not parsed */
};

void scan_report_pack(const struct scan_report *r, struct buf *out);
/* Strings borrow from `data`. 0 or -EBADMSG. */
int scan_report_unpack(const void *data, size_t size, struct scan_report *ret);
/* Adds the finding scan-incomplete to what is there (which may be nothing), for a scan that did not come to its end.
 * `why` is borrowed. */
void scan_report_cut(struct scan_report *r, const char *why);
/* The needs' words, each once, with commas between them; "" where there are none. Their number, too. */
uint32_t scan_report_needs(const struct scan_report *r, char ret[static 256]);
/* Findings above information, and the worst of them. */
uint32_t scan_report_count(const struct scan_report *r);
const struct finding *scan_report_worst(const struct scan_report *r); /* NULL: none above information */
/* The worst that agixt.analysis.block_on_detection refuses: high or critical, by a rule of the scan's own. NULL: none.
 */
const struct finding *scan_report_blocking(const struct scan_report *r);

/* Adds a finding behind those that are as bad, and its risk. Strings are borrowed. */
void scan_report_add(struct scan_report *r, const struct finding *f);
/* Nothing else in the program resembles what acts badly (resemble.h): unless a finding is critical or says that
 * something is hidden, those of the scan's own rules count for so little that they change no level. They are told as
 * they are, and so is this. */
void scan_report_doubt(struct scan_report *r);
/* agixt.analysis.resemblance is false: as the rules alone say it. */
void scan_report_by_rules_only(struct scan_report *r);

#define SCAN_FAMILY_CONFIGURED  "configured" /* of rules that agixt.analysis.patterns made */
#define SCAN_FAMILY_RESEMBLANCE "resemblance"
#define SCAN_RESEMBLANCE        "scan-resemblance"
#define SCAN_UNSUPPORTED        "scan-unsupported"
