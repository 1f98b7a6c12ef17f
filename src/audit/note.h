/* note.h - checkpoints of the audit's tree as signed notes (C2SP: signed-note, tlog-checkpoint, tlog-cosignature).
 *
 *   ORIGIN \n SIZE \n BASE64(ROOT) \n          the text, which is what is signed
 *   \n
 *   — NAME BASE64(KEYID SIGNATURE) \n          a line for each signature, Ed25519
 *
 * A log signs the text; a witness signs «cosignature/v1», the time and the text, and its signature carries the time.
 * KEYID: the first four bytes of SHA-256(NAME \n ALGORITHM PUBLIC_KEY). A key in words: NAME+KEYID+BASE64(ALGORITHM
 * PUBLIC_KEY).
 */
#pragma once
#include "audit/key.h"
#include "audit/tree.h"

#define NOTE_MAX_BYTES (16u * KIB)
#define NOTE_NAME_MAX  128u
#define NOTE_VKEY_MAX  (NOTE_NAME_MAX + 64u)

enum note_algorithm { NOTE_LOG = 1, NOTE_WITNESS = 4 };
struct note_key { /* whose signature counts */
    char name[NOTE_NAME_MAX];
    uint8_t algorithm, public[32];
};
struct checkpoint {
    char origin[NOTE_NAME_MAX];
    uint64_t size;
    struct tree_hash root;
    size_t text_size; /* of the note that it was read from: what is signed */
};

/* The log's name, which follows from its key: several logs of one key have one name, and a witness each for itself. */
void note_log_key(const uint8_t public[static 32], struct note_key *ret);
bool note_name_is_valid(const char *name);
void note_key_write(const struct note_key *k, char out[static NOTE_VKEY_MAX]);
int note_key_read(const char *text, struct note_key *ret); /* -EINVAL */

void checkpoint_write(const struct checkpoint *c, struct buf *out); /* the text and the empty line behind it */
bool checkpoint_read(const char *note, size_t size, struct checkpoint *ret);
/* A checkpoint of this log, with the good signature of its key. */
bool checkpoint_is_of(const char *note, size_t size, const uint8_t log[static 32], struct checkpoint *ret);
/* Adds a signature to a checkpoint. seconds: of a witness; otherwise 0. */
void note_sign(struct buf *note, const struct note_key *name, const struct audit_key *key, uint64_t seconds);
/* Whether this key's good signature is there; ret_seconds: a witness', may be NULL. */
bool note_is_signed(const char *note, size_t size, const struct note_key *key, uint64_t *ret_seconds);

/* A proof as the service answers it: a hash a line, in base64. False: it is none. */
bool note_read_proof(const char *text, size_t size, struct tree_proof *ret);

/* The checkpoint of the audit in `dir` as it is now, signed with the key in `state_dir`. *ret_tree: the tree's file
 * (tree_update); may be NULL. */
int note_now(const char *dir, const char *state_dir, struct checkpoint *ret, struct buf *ret_note, int *ret_tree,
             struct error *err);
