/* stamp.h - a checksum over files: tells rules that changed from those that did not. No cryptography: who could choose
 * the bytes of our rules could choose the program, too.
 */
#pragma once
#include "base/buf.h"

struct stamp {
    uint64_t hash;
};

struct stamp stamp_start(void); /* holds the program's build already */
void stamp_add(struct stamp *s, const void *p, size_t n);
/* Reads a whole file into *ret (initialised here; the caller frees it after success) and adds it. -errno; an absent
 * file is added as such. */
int stamp_file(struct stamp *s, const char *path, struct buf *ret, size_t max_bytes);
/* The same checksum without keeping the bytes. */
int stamp_file_only(struct stamp *s, const char *path);
/* What ruleset_load() would call its id. All files of rules take part: a program may hold others, of other languages.
 */
void stamp_rules(const char *dir, char out[static 24]);
/* Their names: one for each language in the order of enum language, then what is for all of them. */
enum { STAMP_LISTS = 5, STAMP_TEXT, STAMP_WEIGHTS, STAMP_RULE_FILES };
const char *stamp_rule_file(unsigned file);
void stamp_print(const struct stamp *s, char out[static 24]);
