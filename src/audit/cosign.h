/* cosign.h - the witness' side of an audit: what it signed of other logs, and its judgement of a newer checkpoint.
 *
 * A log is known by its public key, and by a name that its key has signed (cosign_claim). What was signed last is kept
 * in one file of the state directory, so that no other machine can make this one forget. A checkpoint is signed only
 * when it is proven to continue the last one. What is another history is refused from then on: the entry says so, until
 * the log is registered anew. Used by the nodes of a fleet (docs/fleet.md); `sandbox-agent witness` has a file of its
 * own, for one log.
 */
#pragma once
#include "audit/note.h"

#define COSIGN_MAX_LOGS   4096u
#define COSIGN_MAX_NAME   128u
#define COSIGN_MAX_PROOFS (128u * KIB) /* bytes of text */

struct cosigned { /* of one log */
    char name[COSIGN_MAX_NAME + 1];
    uint8_t log[32];
    uint64_t registered_ms; /* the registration that it was signed under */
    uint64_t made_ms;       /* when the last checkpoint was made: the registry's clock */
    uint8_t refused;        /* enum cosign_verdict: why nothing is signed any more; 0: it is */
    struct checkpoint last;
    char note[1024]; /* the last checkpoint with the log's signature */
};
struct cosigned_list {
    uint32_t count, cap;
    struct cosigned *list;
};
void cosigned_done(struct cosigned_list *l);
/* From <state>/fleet.cosigned; none: an empty list. A damaged file is an error: an empty list would forget. */
int cosigned_read(const char *state_dir, struct cosigned_list *ret, struct error *err);
/* On the disk when it returns. */
int cosigned_write(const char *state_dir, const struct cosigned_list *l, struct error *err);
struct cosigned *cosigned_find(struct cosigned_list *l, const uint8_t log[static 32]); /* NULL: there is none */
/* A new entry without a checkpoint; NULL: no memory, or COSIGN_MAX_LOGS. Pointers into the list end with it. */
struct cosigned *cosigned_add(struct cosigned_list *l, const char *name, const uint8_t log[static 32]);

enum cosign_verdict {
    COSIGN_GOOD = 0,  /* it continues the last one, or is the first: to be signed */
    COSIGN_WAITING,   /* nothing is known: there is no proof from the last one, or it is an older one */
    COSIGN_UNSIGNED,  /* from here on: refused */
    COSIGN_SHORTER,   /* it was made later, and has fewer lines */
    COSIGN_FORKED,    /* another root of the same size */
    COSIGN_REWRITTEN, /* more lines, and the proof says that the first ones are others */
    COSIGN_CLONED,    /* two machines have the key; never cosign_judge()'s */
    COSIGN_VERDICTS
};
/* What a person reads behind «the audit of NAME»; of refusals only. */
extern const char *const cosign_words[COSIGN_VERDICTS];
struct cosign_offer {
    const char *note;
    size_t note_size;
    const char *proofs; /* cosign_put_proof(), one a line */
    uint64_t made_ms;   /* by the same clock as cosigned.made_ms */
};
/* last: as it was signed; with a size of 0 and no note it is the first. *ret: the checkpoint, where it can be read. */
enum cosign_verdict cosign_judge(const struct cosigned *last, const uint8_t log[static 32],
                                 const struct cosign_offer *o, struct checkpoint *ret);
/* After COSIGN_GOOD: remembers it. False: the note is too long to be kept. */
bool cosign_keep(struct cosigned *last, const struct cosign_offer *o, const struct checkpoint *c);
/* What is remembered, signed as a witness now. */
void cosign_sign(const struct cosigned *last, const struct audit_key *key, uint64_t seconds, struct buf *ret);
/* Whether a note has the good signatures of the log and of the witness; ret_seconds: of the latter, may be NULL. */
bool cosign_is_good(const char *note, size_t size, const uint8_t log[static 32], const uint8_t witness[static 32],
                    struct checkpoint *ret, uint64_t *ret_seconds);

/* «FROM HASH HASH …», a line. */
void cosign_put_proof(struct buf *b, uint64_t from, const struct tree_proof *p);
/* True: there is one from this size. */
bool cosign_find_proof(const char *proofs, uint64_t from, struct tree_proof *ret);

/* A name that the log's key has signed, 128 hex digits: no other log can claim to be it. */
void cosign_claim(const struct audit_key *key, const char *name, char ret_hex[static 129]);
bool cosign_claim_is_good(const uint8_t log[static 32], const char *name, const char *hex);
