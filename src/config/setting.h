/* setting.h - what a key is: name, type, range, place in its struct, one line of help.
 *
 * Profiles and the configuration are each one table of settings. Everything that touches a
 * value goes through the table: YAML loading, `--dry-run`, `profiles show`, docs, the packed form in
 * the policy cache, command line overrides. So they cannot disagree.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"
#include "base/strlist.h"

enum setting_type {
    SET_BOOL,     /* bool */
    SET_UINT,     /* uint32_t */
    SET_SIZE,     /* uint64_t bytes (parse_size) */
    SET_CPU,      /* uint32_t thousandths of a core (parse_cpu) */
    SET_DURATION, /* uint64_t milliseconds (parse_duration; a bare number is seconds) */
    SET_RATIO,    /* uint32_t thousandths, 0..1 (parse_ratio) */
    SET_ENUM,     /* uint8_t index into choices */
    SET_FLAGS,    /* uint32_t, bit i = choices[i]; YAML: a list of choices */
    SET_STRING,   /* const char * or NULL */
    SET_LIST,     /* struct strlist; YAML: a list of scalars (a single scalar is a list of one) */
    SET_MAP,      /* struct strlist of K=V; YAML: a mapping of scalars */
    SET_USER,     /* struct user_ids; YAML: "uid:gid" */
    SET_RECORDS,  /* struct strlist, an item «k=v US k=v»; YAML: a list of mappings, keys in choices */
    SET_TARGETS,  /* struct strlist; YAML: a list of texts, or of mappings that say the same (setting_target.c) */
    SET_SWITCH,   /* const char *: "true", "false" or an absolute path */
};
#define RECORD_SEPARATOR '\x1f' /* ASCII unit separator, never in YAML text we accept */

/* Value of «key=» in a record: where it begins, with its length; NULL: not there. */
static inline const char *record_find(const char *record, const char *key, size_t *ret_length)
{
    size_t n = strlen(key);
    for (const char *part = record; part;) {
        size_t length = strcspn(part, (char[]){ RECORD_SEPARATOR, '\0' });
        if (length > n && strncmp(part, key, n) == 0 && part[n] == '=') {
            *ret_length = length - n - 1;
            return part + n + 1;
        }
        part = part[length] ? part + length + 1 : NULL;
    }
    return NULL;
}

struct user_ids {
    uint32_t uid, gid;
};

struct setting {
    const char *key; /* dotted path as in the contract: resources.memory, languages.python.image */
    enum setting_type type;
    uint16_t offset;            /* in its struct */
    uint64_t min, max;          /* UINT, SIZE, CPU, DURATION, RATIO: inclusive; max 0: no bound */
    const char *const *choices; /* ENUM, FLAGS, RECORDS; TARGETS: keys of a mapping; NULL-terminated */
    const char *preset;         /* the default as text; items of lists are separated by spaces. NULL: unset
                                 * (0, "no string", an empty list; an ENUM is SETTING_UNSET_ENUM) */
    const char *enforced_by;    /* which mechanism makes it true (docs/profiles.md); who reads it (configuration) */
    const char *help;           /* one line */
};
#define SETTING_UNSET_ENUM UINT8_MAX

/* Where a value came from; `line` only for files (65535: there or below). */
enum origin_source { ORIGIN_DEFAULT, ORIGIN_PROFILE, ORIGIN_CONFIG, ORIGIN_OPTION };
struct origin {
    uint8_t source;
    uint8_t file; /* ORIGIN_CONFIG: which of them (enum config_file) */
    uint16_t line;
};

struct settings {
    const struct setting *table;
    size_t count;
};

const struct setting *setting_find(struct settings s, const char *key); /* NULL: unknown */
/* «did you mean»: the known key or section that was probably meant; false: nothing is near. */
#define SETTING_KEY_MAX 96
bool setting_nearest(struct settings s, const char *key, char ret_key[static SETTING_KEY_MAX]);

/* Reads a scalar into base's member. On failure err says key, value and what is accepted
 * (BLAME_CALLER, -EINVAL) and the member is as it was. For LIST/FLAGS/MAP/RECORDS one item is added
 * per call. Strings are copied; the old one is *not* freed, so this may also be used on an unpacked
 * struct (its lists are copied before they grow). Who owns base's strings calls setting_clear() first. */
int setting_parse(const struct setting *s, void *base, const char *value, struct error *err);
/* Frees and unsets a string, empties a list-like setting before new items replace the old. */
void setting_clear(const struct setting *s, void *base);
/* True when a setting without preset was not given. */
bool setting_is_unset(const struct setting *s, const void *base);
/* Writes the value as YAML (flow style for lists). */
void setting_print(const struct setting *s, const void *base, struct buf *out);
/* «true or false», «a size such as 512m or 64MiB between 1m and 1t», «low, medium or high» ... */
void setting_accepts(const struct setting *s, struct buf *out);

/* Gives every setting its preset; base must be zeroed. */
void settings_preset(struct settings s, void *base);
/* The whole struct as a YAML document that loads back to the same values. `note` may be NULL; what it adds
 * to `out` for setting i becomes the line's comment. */
typedef void settings_note(void *ctx, size_t i, struct buf *out);
void settings_print(struct settings s, const void *base, settings_note *note, void *ctx, struct buf *out);

void settings_pack(struct settings s, const void *base, struct buf *out);
/* Unpacked strings and lists borrow from the reader's bytes. */
void settings_unpack(struct settings s, void *base, struct unpack *u);
/* Frees what setting_parse() allocated (never on an unpacked struct). */
void settings_free(struct settings s, void *base);
