#include "audit/cosign.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "audit/chain.h"
#include "audit/dir.h"
#include "audit/hmac.h"
#include "base/io.h"
#include "base/parse.h"

#define FILE_NAME  "fleet.cosigned"
#define FILE_HEAD  "sandbox-agent-cosigned-v1\n"
#define FILE_MAX   (COSIGN_MAX_LOGS * 2 * KIB)
#define CLAIM_HEAD "sandbox-agent-node-v1\n"
#define HASH_TEXT  44u /* base64 of 32 bytes */

const char *const cosign_words[COSIGN_VERDICTS] = {
    [COSIGN_UNSIGNED] = "has a checkpoint that its key has not signed",
    [COSIGN_SHORTER] = "is shorter than it was",
    [COSIGN_FORKED] = "has two histories of the same length",
    [COSIGN_REWRITTEN] = "is another one than it was: its history was written anew",
    [COSIGN_CLONED] = "is of two nodes at once: both have its key",
};

/* --- the list ----------------------------------------------------------------------------------------------------- */

void cosigned_done(struct cosigned_list *l)
{
    free(l->list);
    *l = (struct cosigned_list){ 0 };
}

struct cosigned *cosigned_find(struct cosigned_list *l, const uint8_t log[static 32])
{
    for (uint32_t i = 0; i < l->count; i++)
        if (memcmp(l->list[i].log, log, 32) == 0)
            return &l->list[i];
    return NULL;
}

struct cosigned *cosigned_add(struct cosigned_list *l, const char *name, const uint8_t log[static 32])
{
    if (l->count == COSIGN_MAX_LOGS || strlen(name) > COSIGN_MAX_NAME)
        return NULL;
    if (l->count == l->cap) {
        const uint32_t cap = l->cap ? 2 * l->cap : 8;
        struct cosigned *list = realloc(l->list, cap * sizeof *list);
        if (!list)
            return NULL;
        l->list = list;
        l->cap = cap;
    }
    struct cosigned *c = &l->list[l->count++];
    *c = (struct cosigned){ 0 };
    (void)snprintf(c->name, sizeof c->name, "%s", name);
    memcpy(c->log, log, 32);
    return c;
}

/* --- the file: an entry a line ------------------------------------------------------------------------------------ */

static void put_entry(struct buf *b, const struct cosigned *c)
{
    char log[65];
    hex_write(c->log, 32, log);
    (void)buf_addf(b, "%s %s %llu %llu %u ", c->name, log, (unsigned long long)c->registered_ms,
                   (unsigned long long)c->made_ms, (unsigned)c->refused);
    base64_write(b, c->note, strlen(c->note));
    (void)buf_adds(b, *c->note ? "\n" : "-\n");
}

/* The next word of a line, which is cut off there. NULL: there is none. */
static char *take_word(char **at)
{
    char *word = *at, *space = word ? strchr(word, ' ') : NULL;
    if (space)
        *space = '\0';
    *at = space ? space + 1 : NULL;
    return word && *word ? word : NULL;
}

static bool take_note(struct cosigned *c, const char *word)
{
    size_t n = 0;
    char text[2 * sizeof c->note];
    if (str_eq(word, "-"))
        return true;
    if (strlen(word) >= sizeof text || base64_read(word, strlen(word), text, &n) < 0 || n >= sizeof c->note)
        return false;
    memcpy(c->note, text, n);
    c->note[n] = '\0';
    return strlen(c->note) == n && checkpoint_read(c->note, n, &c->last);
}

static bool take_entry(struct cosigned_list *l, char *line)
{
    char *at = line;
    const char *name = take_word(&at), *log = take_word(&at), *registered = take_word(&at), *made = take_word(&at),
               *refused = take_word(&at), *note = take_word(&at);
    uint8_t bytes[32];
    uint64_t why = 0;
    if (!note || at || strlen(log) != 64 || hex_read(log, bytes, 32) < 0 || cosigned_find(l, bytes))
        return false;
    struct cosigned *c = cosigned_add(l, name, bytes);
    if (!c || parse_u64(registered, &c->registered_ms) < 0 || parse_u64(made, &c->made_ms) < 0 ||
        parse_u64(refused, &why) < 0 || why >= COSIGN_VERDICTS)
        return false;
    c->refused = (uint8_t)why;
    return take_note(c, note);
}

static bool take_entries(struct cosigned_list *l, char *text)
{
    if (!str_starts(text, FILE_HEAD))
        return false;
    for (char *at = text + strlen(FILE_HEAD), *end; *at; at = end + 1) {
        end = strchr(at, '\n');
        if (!end)
            return false;
        *end = '\0';
        if (!take_entry(l, at))
            return false;
    }
    return true;
}

int cosigned_read(const char *state_dir, struct cosigned_list *ret, struct error *err)
{
    struct buf text;
    cleanup(closep) int dir = open(state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(closep) int fd = dir < 0 ? -1 : openat(dir, FILE_NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    *ret = (struct cosigned_list){ 0 };
    if (fd < 0 && errno == ENOENT)
        return 0;
    int e = fd < 0 ? -errno : 0;
    buf_init(&text, FILE_MAX);
    if (e == 0)
        e = read_open_file(fd, &text);
    if (e == 0 && !(text.data && strlen(text.data) == text.size && take_entries(ret, text.data)))
        e = -EBADMSG;
    buf_done(&text);
    if (e == 0)
        return 0;
    cosigned_done(ret);
    (void)err_set(err, e, BLAME_HOST, "AUDIT", "%s/" FILE_NAME ": %s", state_dir,
                  e == -EBADMSG ? "is not what this node wrote" : strerror(-e));
    return err_remedy(err, "find out what changed it, and put it back; without it this node forgets what it has signed "
                           "of the other nodes' audits");
}

int cosigned_write(const char *state_dir, const struct cosigned_list *l, struct error *err)
{
    struct buf text;
    cleanup(closep) int dir = open(state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(closep) int fd = dir < 0 ? -1
                                     : openat(dir, FILE_NAME ".new",
                                              O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : 0;
    buf_init(&text, FILE_MAX);
    (void)buf_adds(&text, FILE_HEAD);
    for (uint32_t i = 0; i < l->count; i++)
        put_entry(&text, &l->list[i]);
    if (e == 0 && text.failed)
        e = -ENOMEM;
    if (e == 0)
        e = write_all(fd, text.data, text.size);
    if (e == 0 && (fsync(fd) < 0 || renameat(dir, FILE_NAME ".new", dir, FILE_NAME) < 0 || fsync(dir) < 0))
        e = -errno;
    buf_done(&text);
    return e < 0 ? err_set(err, e, BLAME_HOST, "AUDIT", "%s/" FILE_NAME ": %s", state_dir, strerror(-e)) : 0;
}

/* --- proofs ------------------------------------------------------------------------------------------------------- */

void cosign_put_proof(struct buf *b, uint64_t from, const struct tree_proof *p)
{
    (void)buf_addf(b, "%llu", (unsigned long long)from);
    for (size_t i = 0; i < p->count; i++) {
        (void)buf_addc(b, ' ');
        base64_write(b, p->list[i].bytes, sizeof p->list[i].bytes);
    }
    (void)buf_addc(b, '\n');
}

static bool take_hashes(const char *at, const char *end, struct tree_proof *ret)
{
    for (*ret = (struct tree_proof){ 0 }; at < end; at += 1 + HASH_TEXT) {
        uint8_t bytes[HASH_TEXT];
        size_t n = 0;
        if (*at != ' ' || (size_t)(end - at) < 1 + HASH_TEXT || ret->count == TREE_PROOF_MAX ||
            base64_read(at + 1, HASH_TEXT, bytes, &n) < 0 || n != 32)
            return false;
        memcpy(ret->list[ret->count++].bytes, bytes, 32);
    }
    return true;
}

bool cosign_find_proof(const char *proofs, uint64_t from, struct tree_proof *ret)
{
    char wanted[24];
    (void)snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)from);
    const size_t n = strlen(wanted);
    for (const char *at = proofs, *end; *at; at = *end ? end + 1 : end) {
        end = strchrnul(at, '\n');
        if ((size_t)(end - at) >= n && memcmp(at, wanted, n) == 0 && (at + n == end || at[n] == ' '))
            return take_hashes(at + n, end, ret);
    }
    return false;
}

/* --- the judgement ------------------------------------------------------------------------------------------------ */

enum cosign_verdict cosign_judge(const struct cosigned *last, const uint8_t log[static 32],
                                 const struct cosign_offer *o, struct checkpoint *ret)
{
    struct tree_proof proof;
    if (!checkpoint_is_of(o->note, o->note_size, log, ret))
        return COSIGN_UNSIGNED;
    if (!*last->note)
        return COSIGN_GOOD;
    if (ret->size < last->last.size) /* an older row is there again where the registry was restored */
        return o->made_ms > last->made_ms ? COSIGN_SHORTER : COSIGN_WAITING;
    if (ret->size == last->last.size)
        return memcmp(&ret->root, &last->last.root, sizeof ret->root) == 0 ? COSIGN_GOOD : COSIGN_FORKED;
    if (!last->last.size)
        return COSIGN_GOOD;
    if (!cosign_find_proof(o->proofs, last->last.size, &proof))
        return COSIGN_WAITING;
    return tree_continues(last->last.size, &last->last.root, ret->size, &ret->root, &proof) ? COSIGN_GOOD
                                                                                            : COSIGN_REWRITTEN;
}

bool cosign_keep(struct cosigned *last, const struct cosign_offer *o, const struct checkpoint *c)
{
    if (o->note_size >= sizeof last->note || memchr(o->note, '\0', o->note_size))
        return false;
    memcpy(last->note, o->note, o->note_size);
    last->note[o->note_size] = '\0';
    last->last = *c;
    last->made_ms = o->made_ms;
    return true;
}

static void witness_key(const uint8_t public[static 32], struct note_key *ret)
{
    char hex[65];
    *ret = (struct note_key){ .algorithm = NOTE_WITNESS };
    memcpy(ret->public, public, 32);
    hex_write(public, 32, hex);
    (void)snprintf(ret->name, sizeof ret->name, "sandbox-agent/witness/%.16s", hex);
}

void cosign_sign(const struct cosigned *last, const struct audit_key *key, uint64_t seconds, struct buf *ret)
{
    struct note_key own;
    witness_key(key->public, &own);
    buf_init(ret, NOTE_MAX_BYTES);
    (void)buf_adds(ret, last->note);
    note_sign(ret, &own, key, seconds);
}

bool cosign_is_good(const char *note, size_t size, const uint8_t log[static 32], const uint8_t witness[static 32],
                    struct checkpoint *ret, uint64_t *ret_seconds)
{
    struct note_key of_witness;
    witness_key(witness, &of_witness);
    return checkpoint_is_of(note, size, log, ret) && note_is_signed(note, size, &of_witness, ret_seconds);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static void claim_text(struct buf *b, const char *name)
{
    buf_init(b, KIB);
    (void)buf_addf(b, CLAIM_HEAD "%s\n", name);
}

void cosign_claim(const struct audit_key *key, const char *name, char ret_hex[static 129])
{
    struct buf text;
    claim_text(&text, name);
    key_sign(key, text.data, text.size, ret_hex);
    buf_done(&text);
}

bool cosign_claim_is_good(const uint8_t log[static 32], const char *name, const char *hex)
{
    struct buf text;
    claim_text(&text, name);
    const bool is_good = !text.failed && strlen(hex) == 128 && key_verify(log, text.data, text.size, hex);
    buf_done(&text);
    return is_good;
}
