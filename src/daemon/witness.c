#include "daemon/witness.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/chain.h"
#include "audit/hmac.h"
#include "audit/note.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/io.h"
#include "base/parse.h"
#include "daemon/service_client.h"

#define ANSWER_MAX   (64u * KIB)
#define TIMEOUT_MS   30000u
#define NAME_OF_OURS "sandbox-agent/witness/"

static const char help[] =
    "usage: sandbox-agent witness --url URL --log-key HEX --state DIR [--key-file FILE] [--ca FILE] [--every "
    "SECONDS]\n\n"
    "On another machine: signs the audit's checkpoint of the service at URL (with its base path), once it is proven "
    "that\n"
    "the audit only grew since the last time. Prints the checkpoint with both signatures, for `audit verify "
    "--witness`.\n"
    "  --log-key HEX     the audit's public key (audit.pub), carried here by a person\n"
    "  --state DIR       the witness' own key, and the last checkpoint; nothing else may write there\n"
    "  --key-file FILE   a key of the service with the role read\n"
    "  --ca FILE         certificates that a https URL is checked with, instead of the system's\n"
    "  --every SECONDS   again and again; ends at the first refusal\n"
    "exit: 0 signed, 1 refused: the history is another one, 2 usage, 125 the service does not answer\n";

struct witness {
    struct service_client service;
    const char *log_key, *state, *every;
    bool help;
    struct note_key log, own;
    struct audit_key key;
    int dir;
};

static int fail(const struct error *err)
{
    service_client_say("witness", err);
    return err->blame == BLAME_POLICY ? 1 : err->blame == BLAME_CALLER ? 2 : 125;
}

/* --- words ------------------------------------------------------------------------------------------ */

static int read_words(int argc, char **argv, struct witness *w, struct error *err)
{
    const struct {
        const char *name, **value;
    } table[] = { { "--url", &w->service.url },           { "--log-key", &w->log_key }, { "--state", &w->state },
                  { "--key-file", &w->service.key_file }, { "--ca", &w->service.ca },   { "--every", &w->every } };
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        if (str_eq(argv[i], "--help") || str_eq(argv[i], "-h")) {
            w->help = true;
            return 0;
        }
        while (k < ARRAY_LEN(table) && !str_eq(table[k].name, argv[i]))
            k++;
        if (k == ARRAY_LEN(table))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "unknown option %s", argv[i]);
        if (++i == argc)
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s needs a value", table[k].name);
        *table[k].value = argv[i];
    }
    if (!w->service.url || !w->log_key || !w->state)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s is missing",
                       !w->service.url ? "--url URL"
                       : !w->log_key   ? "--log-key HEX"
                                       : "--state DIR");
    return 0;
}

static int read_log_key(struct witness *w, struct error *err)
{
    uint8_t public[32];
    if (strlen(w->log_key) != 64 || hex_read(w->log_key, public, 32) < 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--log-key %s: accepted are 64 hex digits", w->log_key);
    note_log_key(public, &w->log);
    return 0;
}

/* The directory, locked: two of us would each remember something else. */
static int open_state(struct witness *w, struct error *err)
{
    char path[4200], hex[65];
    if (mkdir(w->state, 0700) < 0 && errno != EEXIST)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--state %s: %m", w->state);
    w->dir = open(w->state, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (w->dir < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--state %s: %m", w->state);
    if (flock(w->dir, LOCK_EX | LOCK_NB) < 0)
        return err_set(err, -EBUSY, BLAME_CALLER, NULL, "--state %s: another witness works there", w->state);
    (void)snprintf(path, sizeof path, "%s/witness.key", w->state);
    int e = faccessat(w->dir, "witness.key", F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT
                ? key_generate_file(path, &w->key, err)
                : key_read_file(path, &w->key, err);
    if (e < 0)
        return e;
    w->own.algorithm = NOTE_WITNESS;
    memcpy(w->own.public, w->key.public, 32);
    hex_write(w->key.public, 32, hex);
    (void)snprintf(w->own.name, sizeof w->own.name, NAME_OF_OURS "%.16s", hex);
    return 0;
}

/* --- asking ----------------------------------------------------------------------------------------- */

static int fetch(const struct witness *w, const char *path, struct buf *out, struct error *err)
{
    const struct service_request r = {
        .method = "GET", .path = path, .max_bytes = ANSWER_MAX, .timeout_ms = TIMEOUT_MS
    };
    long status = 0;
    int e = service_client_ask(&w->service, &r, &status, out, err);
    if (e == 0 && status != 200)
        e = err_set(err, -EIO, BLAME_HOST, NULL, "%s%s answered %ld", w->service.url, path, status);
    return e;
}

static int fetch_proof(const struct witness *w, uint64_t from, uint64_t to, struct tree_proof *ret, struct error *err)
{
    char path[120];
    struct buf text;
    (void)snprintf(path, sizeof path, "/audit/consistency?from=%llu&to=%llu", (unsigned long long)from,
                   (unsigned long long)to);
    int e = fetch(w, path, &text, err);
    if (e == 0 && !note_read_proof(text.data, text.size, ret))
        e = err_set(err, -EBADMSG, BLAME_HOST, NULL, "the service's proof is no list of hashes");
    buf_done(&text);
    return e;
}

/* --- what is remembered ------------------------------------------------------------------------------- */

/* The last checkpoint that we signed: 1, 0 (none yet), or an error. A damaged one is no «none»: that would forget. */
static int recall(const struct witness *w, struct checkpoint *ret, struct error *err)
{
    char text[NOTE_MAX_BYTES];
    cleanup(closep) int fd = openat(w->dir, "last.checkpoint", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT)
        return 0;
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
    if (n < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s/last.checkpoint: %m", w->state);
    if (!checkpoint_read(text, (size_t)n, ret) || !note_is_signed(text, (size_t)n, &w->own, NULL)) {
        (void)err_set(err, -EBADMSG, BLAME_HOST, NULL, "%s/last.checkpoint is not what this witness wrote", w->state);
        return err_remedy(err, "find out who changed it; a witness that forgets must get a new --state, and a new key");
    }
    return 1;
}

/* On the disk before any process sees the signature. */
static int remember(const struct witness *w, const struct buf *note, struct error *err)
{
    cleanup(closep) int fd = openat(w->dir, "next", O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : write_all(fd, note->data, note->size);
    if (e == 0 && (fsync(fd) < 0 || renameat(w->dir, "next", w->dir, "last.checkpoint") < 0 || fsync(w->dir) < 0))
        e = -errno;
    return e < 0 ? err_set(err, e, BLAME_HOST, NULL, "%s/last.checkpoint: %s", w->state, strerror(-e)) : 0;
}

/* --- the judgement ------------------------------------------------------------------------------------ */

static int refuse(struct error *err, const char *why, uint64_t old, uint64_t now)
{
    (void)err_set(err, -EPERM, BLAME_POLICY, NULL, "refused: %s (signed here: %llu lines; offered: %llu)", why,
                  (unsigned long long)old, (unsigned long long)now);
    return err_remedy(err, "keep this machine's last.checkpoint: `audit verify --witness` shows on the other machine "
                           "that history was rewritten");
}

static int judge(const struct witness *w, const struct checkpoint *old, const struct checkpoint *now, struct error *err)
{
    struct tree_proof proof = { 0 };
    int e = 0;
    if (!str_eq(old->origin, now->origin))
        return refuse(err, "it is another log", old->size, now->size);
    if (now->size < old->size)
        return refuse(err, "the history is shorter than it was", old->size, now->size);
    if (now->size > old->size && old->size)
        e = fetch_proof(w, old->size, now->size, &proof, err);
    if (e < 0)
        return e;
    return tree_continues(old->size, &old->root, now->size, &now->root, &proof)
               ? 0
               : refuse(err, "the history is another one than it was", old->size, now->size);
}

static int look(const struct witness *w, struct buf *note, struct error *err)
{
    struct checkpoint now, old;
    int e = fetch(w, "/audit/checkpoint", note, err);
    if (e < 0)
        return e;
    if (!note->data || !checkpoint_read(note->data, note->size, &now))
        return err_set(err, -EBADMSG, BLAME_HOST, NULL, "what the service gives is no checkpoint");
    if (!str_eq(now.origin, w->log.name) || !note_is_signed(note->data, note->size, &w->log, NULL))
        return refuse(err, "the checkpoint is not signed with --log-key", 0, now.size);
    int known = recall(w, &old, err);
    if (known < 0 || (known && (e = judge(w, &old, &now, err)) < 0))
        return known < 0 ? known : e;
    note_sign(note, &w->own, &w->key, wall_clock_ms() / 1000);
    /* what we could not read ourselves next time would be forgotten */
    if (note->failed || note->size > NOTE_MAX_BYTES || !note_is_signed(note->data, note->size, &w->own, NULL))
        return refuse(err, "the checkpoint has more lines than one has", known ? old.size : 0, now.size);
    return remember(w, note, err);
}

static int once(const struct witness *w, struct error *err)
{
    struct buf note = { 0 };
    int e = look(w, &note, err);
    if (e == 0 && (write_all(STDOUT_FILENO, note.data, note.size) < 0))
        e = err_set(err, -EIO, BLAME_HOST, NULL, "standard output takes nothing");
    buf_done(&note);
    return e;
}

/* A service that does not answer is asked again; a refusal ends it. */
static int again(const struct witness *w, uint64_t seconds, struct error *err)
{
    const struct timespec pause = { .tv_sec = (time_t)seconds };
    for (;;) {
        *err = (struct error){ 0 };
        int e = once(w, err);
        if (e < 0 && err->blame != BLAME_HOST)
            return e;
        if (e < 0)
            (void)fail(err);
        (void)nanosleep(&pause, NULL);
    }
}

int witness_main(int argc, char **argv)
{
    struct witness w = { .dir = -1 };
    struct error err = { 0 };
    char words[NOTE_VKEY_MAX];
    uint64_t seconds = 0;
    int e = read_words(argc, argv, &w, &err);
    if (e == 0 && w.help)
        return fputs(help, stdout) == EOF ? 125 : 0;
    if (e == 0 && w.every && (parse_u64(w.every, &seconds) < 0 || !seconds || seconds > 86400))
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "--every %s: accepted are 1 to 86400 seconds", w.every);
    if (e == 0)
        e = read_log_key(&w, &err);
    if (e == 0)
        e = service_client_open(&w.service, &err);
    if (e == 0)
        e = open_state(&w, &err);
    if (e == 0) {
        note_key_write(&w.own, words);
        (void)fprintf(stderr, "sandbox-agent: witness: %s\n", words);
    }
    if (e == 0)
        e = w.every ? again(&w, seconds, &err) : once(&w, &err);
    key_done(&w.key);
    service_client_done(&w.service);
    closep(&w.dir);
    return e < 0 ? fail(&err) : 0;
}
