/* key.h - the Ed25519 key of this installation's audit: <state>/audit.key (0600, the seed as hex), audit.pub beside it.
 */
#pragma once
#include "audit/audit.h"

struct audit_key {
    uint8_t secret[64], public[32];
};
/* Reads it, or makes it at first use (two processes at once: one wins, both get it). Wipe with key_done. */
int key_load(int key_dir, const char *dir_name, struct audit_key *ret, struct error *err);
/* The same for a process that signs again and again: the file is read anew when it is another one than before. Its
 * owner's to lock, and to wipe with key_forget(). 25 us less; another 10 where a line that was written within the last
 * second has just looked at the file. */
struct key_kept {
    struct audit_key key;
    struct audit_key_file file;
    bool is_there;
};
int key_load_kept(struct key_kept *k, int key_dir, const char *dir_name, const struct audit_key_file *seen,
                  struct audit_key *ret, struct error *err);
void key_forget(struct key_kept *k);
/* Before each line: -EPERM where others may read or change it. One that is absent is made with the next signature. */
int key_check(int key_dir, const char *dir_name, struct audit_key_file *ret, struct error *err);
void key_done(struct audit_key *k);
/* Adds what helps against a full, read-only or failing disk below dir_name, which no change of modes would; false: it
 * is none of these. */
bool key_remedy_for_disk(int e, const char *dir_name, struct error *err);
/* audit.pub alone: 0, or -errno. */
int key_read_public(int key_dir, uint8_t ret[static 32]);
/* A key of another owner from a file of the same form: for `sign`. */
int key_read_file(const char *path, struct audit_key *ret, struct error *err);
/* A new pair; the private one into a file that must not exist. */
int key_generate_file(const char *path, struct audit_key *ret, struct error *err);

void key_sign(const struct audit_key *k, const void *text, size_t size, char ret_hex[static 129]);
bool key_verify(const uint8_t public[static 32], const void *text, size_t size, const char *hex /* 128 digits */);

/* What a signature in the audit covers, ready to be signed: the line it stands for and its promise. */
void key_audit_text(struct buf *b, uint64_t sequence, const char *hash, uint64_t next_within);
