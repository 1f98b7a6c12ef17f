#include "daemon/checkpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "files/remote.h"

/* Of the session's memory: beyond it the oldest checkpoint goes for a new one. excessive_memory_usage comes at 0.95. */
#define FULL_NUMERATOR   3u
#define FULL_DENOMINATOR 4u

#define SAMPLE_LOOK_MS     10u
#define SAMPLE_PATIENCE_MS 500u /* for what comes ten times a second */

/* --- the workspace ---------------------------------------------------------------------------------------------- */

struct exchange {
    char buffer[REMOTE_MAX_SIZE];
    struct remote_message message;
};

static bool is_full(int error)
{
    return error == -EFBIG || error == -ENOSPC || error == -EDQUOT || error == -ENOMEM;
}

static int fail_files(int error, const char *what, const char *where, struct error *err)
{
    struct buf clean;
    buf_init(&clean, 4 * PATH_MAX);
    (void)buf_adds_clean(&clean, where);
    (void)err_set(err, error, is_full(error) ? BLAME_POLICY : BLAME_GUEST, "CHECKPOINT", "%s the workspace: %.200s%s%s",
                  what, clean.data ? clean.data : "", where[0] ? ": " : "",
                  error == -EPIPE || error == -ESHUTDOWN ? "the session ended meanwhile" : wfile_words(error));
    buf_done(&clean);
    return error;
}

/* By a worker inside. One that takes longer than remote_wait() stops when the socket is closed: before the lock is
 * free. */
static int ask_worker(struct session_entry *s, const struct remote_request *q, struct exchange *x, struct error *err)
{
    static const char *const what[] = {
        [REMOTE_KEEP] = "keep", [REMOTE_RESTORE] = "go back with", [REMOTE_FORGET] = "forget a checkpoint of"
    };
    cleanup(closep) int sock = -EBADF;
    int e = session_files(s->live, SESSION_WORKER_FILES, &sock, err);
    if (e < 0)
        return e;
    e = remote_send(sock, q);
    if (e == 0)
        e = remote_wait(sock, x->buffer, &x->message);
    closep(&x->message.fd);
    if (e == 0)
        e = x->message.reply.error;
    closep(&sock); /* before its place is another's */
    session_files_done(s->live, SESSION_WORKER_FILES);
    return e < 0 ? fail_files(e, what[q->op], x->message.reply.text, err) : 0;
}

static int ask_files(struct session_entry *s, enum remote_op op, uint64_t number, uint64_t max_bytes,
                     struct checkpoint *ret, struct error *err)
{
    const struct remote_request q = { .op = op, .path = ".", .to = "", .number = number, .max_bytes = max_bytes };
    struct exchange *x = calloc(1, sizeof *x);
    if (!x)
        return err_set(err, -ENOMEM, BLAME_HOST, "CHECKPOINT", "no memory");
    x->message.fd = -EBADF;
    contexts_lock_files(s->contexts);
    const int e = ask_worker(s, &q, x, err);
    contexts_unlock_files(s->contexts);
    if (e == 0 && ret) {
        ret->entries = x->message.reply.count;
        ret->copied_bytes = x->message.reply.bytes;
        (void)snprintf(ret->damaged, sizeof ret->damaged, "%.*s", (int)sizeof ret->damaged - 1, x->message.reply.text);
    }
    free(x);
    return e;
}

/* --- the kernel -------------------------------------------------------------------------------------------------- */

static int fail_kernel(const struct context_answer *said, struct error *err)
{
    struct buf text;
    buf_init(&text, 4 * sizeof said->text);
    (void)buf_adds_clean(&text, said->text);
    const char *words = text.data ? text.data : "";
    int e;
    if (str_eq(said->why, "threads")) {
        (void)err_set(err, -EDEADLK, BLAME_GUEST, "CHECKPOINT", "threads run in the kernel: %.300s", words);
        e = err_remedy(err, "let them end before: a checkpoint keeps the kernel's main thread only");
    } else if (str_eq(said->why, "gone")) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, "CHECKPOINT", "this checkpoint's process has ended");
        e = err_remedy(err, "it was killed, or memory ran out: go back to an older one, or restart the context");
    } else {
        e = err_set(err, -EIO, BLAME_GUEST, "CHECKPOINT", "the kernel could not do it: %.300s", words);
    }
    buf_done(&text);
    return e;
}

static int ask_kernel(struct context_entry *e, enum kernel_wish wish, uint64_t number, struct error *err)
{
    struct context_answer said = { 0 };
    const int r = context_wish(e->live, wish, number, &said, err);
    return r < 0 ? r : said.why[0] ? fail_kernel(&said, err) : 0;
}

/* --- dropping ---------------------------------------------------------------------------------------------------- */

static int forget_files(struct session_entry *s, uint64_t number, struct error *err)
{
    const int r = ask_files(s, REMOTE_FORGET, number, 0, NULL, err);
    return r == -ENODATA ? 0 : r; /* a level without them */
}

/* A place is given back when the store has forgotten what was kept at it. Until then it is owed. */
static void give_back(struct session_entry *s, uint64_t number)
{
    struct error ignored = { 0 };
    if (forget_files(s, number, &ignored) < 0)
        contexts_owe_checkpoint(s->contexts, number);
    else
        contexts_give_checkpoint(s->contexts);
}

static void settle_owed(struct session_entry *s)
{
    uint64_t number;
    for (unsigned i = contexts_owed_checkpoints(s->contexts); i-- > 0 && (number = contexts_take_owed(s->contexts));)
        give_back(s, number);
}

/* Whose checkpoints they are. */
struct holder {
    struct session_entry *s;
    struct context_entry *e; /* NULL: the workspace's alone, which have no twins */
    struct context_checkpoints *k;
};

static struct holder context_of(struct session_entry *s, struct context_entry *e)
{
    return (struct holder){ s, e, &e->checkpoints };
}

static void take_out(const struct holder *h, unsigned index)
{
    struct context_checkpoints *k = h->k;
    k->count--;
    memmove(&k->numbers[index], &k->numbers[index + 1], (k->count - index) * sizeof k->numbers[0]);
    if (h->e)
        session_drop_checkpoint(h->s->live, !k->count && !k->is_making);
}

/* Both halves of the one at this index. An error: it is held as before. A kernel that cannot be told has ended, or is
 * being ended, and its twins with it. */
static int drop(const struct holder *h, unsigned index, bool has_twin, struct checkpoint *ret, struct error *err)
{
    struct error ignored = { 0 };
    const uint64_t number = h->k->numbers[index];
    const int r = forget_files(h->s, number, err);
    if (r < 0)
        return r;
    if (has_twin && h->e)
        (void)ask_kernel(h->e, KERNEL_FORGET, number, &ignored);
    take_out(h, index);
    contexts_give_checkpoint(h->s->contexts);
    if (ret)
        ret->dropped[ret->dropped_count++] = number;
    return 0;
}

void checkpoints_end(struct session_entry *s, struct context_entry *e)
{
    const struct holder h = context_of(s, e);
    context_hold_last(e->live);
    while (h.k->count) {
        const uint64_t number = h.k->numbers[h.k->count - 1];
        take_out(&h, h.k->count - 1);
        give_back(s, number);
    }
    context_release(e->live);
}

/* --- making ------------------------------------------------------------------------------------------------------ */

static int check_supported(const struct context_entry *e, struct error *err)
{
    if (e->language == LANG_PYTHON)
        return 0;
    (void)err_set(err, -EOPNOTSUPP, BLAME_CALLER, "CHECKPOINT",
                  "unsupported: only contexts of Python have checkpoints");
    return err_remedy(err, "keep the workspace alone: POST /sessions/ID/checkpoints");
}

struct room {
    uint64_t limit, used; /* bytes; limit UINT64_MAX: there is none. used: as far as is known, with the next one */
    bool is_measured;     /* by looking: what processes share counts for each (launch/measure.c) */
};

/* What each of them holds of its own is taken as the same for all: those that were made since we looked have not been
 * seen yet. Where shared memory counts for each, so does the next one. */
static struct room look(const struct holder *h, bool *ret_is_old)
{
    const struct context_checkpoints *k = h->k;
    const struct outcome *o = session_opened(h->s->live);
    uint64_t seen;
    const uint64_t used = session_memory(h->s->live, &seen), since = seen == k->seen ? k->since : 0;
    struct room r = { .limit = UINT64_MAX, .used = used, .is_measured = o && !o->cgroup };
    if (o && o->memory_bytes)
        r.limit = o->memory_bytes / FULL_DENOMINATOR * FULL_NUMERATOR;
    r.used += used / (k->count - MIN_OF(since, (uint64_t)k->count) + 1) * (since + (r.is_measured && h->e));
    *ret_is_old = seen && since;
    return r;
}

/* Before anything goes for want of room, what there is is looked at anew. */
static struct room look_well(const struct holder *h)
{
    bool is_old = false;
    struct room r = look(h, &is_old);
    for (unsigned i = 0; i < SAMPLE_PATIENCE_MS / SAMPLE_LOOK_MS && is_old && r.used > r.limit; i++) {
        const struct timespec pause = { .tv_nsec = SAMPLE_LOOK_MS * 1000000L };
        (void)nanosleep(&pause, NULL);
        r = look(h, &is_old);
    }
    return r;
}

static void note_made(struct session_entry *s, struct context_checkpoints *k)
{
    uint64_t seen;
    (void)session_memory(s->live, &seen);
    k->since = seen == k->seen ? k->since + 1 : 1;
    k->seen = seen;
}

/* Until there is a place for another one. */
static int take_place(const struct holder *h, struct checkpoint *ret, struct error *err)
{
    settle_owed(h->s);
    while (!contexts_take_checkpoint(h->s->contexts, &ret->number)) {
        if (!h->k->count) {
            (void)err_set(err, -EAGAIN, BLAME_POLICY, "CHECKPOINT", "this session has %u checkpoints, and none of %s",
                          STEWARD_CHECKPOINTS_MAX, h->e ? "this context" : "the workspace alone");
            return err_remedy(err, "end or restart a context that has some, or undo to an early one");
        }
        const int e = drop(h, 0, true, ret, err);
        if (e < 0)
            return e;
    }
    return 0;
}

/* The same of memory, as far as is known. */
static int make_memory(const struct holder *h, struct checkpoint *ret, struct error *err)
{
    const struct room r = look_well(h);
    if (r.used <= r.limit)
        return 0;
    if (h->k->count)
        return drop(h, 0, true, ret, err);
    if (r.is_measured && h->e) {
        (void)err_set(err, -EFBIG, BLAME_POLICY, "CHECKPOINT",
                      "with another process as large as the kernel the session would use %llu MiB of memory, above "
                      "three quarters of its limit",
                      (unsigned long long)(r.used / MIB));
        return err_remedy(err, "raise resources.memory; where a cgroup can be used, what is the same counts once");
    }
    return 0;
}

/* The workspace's half. Older ones go for it. */
static int keep_files(const struct holder *h, struct checkpoint *ret, struct error *err)
{
    for (;;) {
        const struct room r = look_well(h);
        const uint64_t max = r.limit == UINT64_MAX ? r.limit : r.limit - MIN_OF(r.used, r.limit);
        *err = (struct error){ 0 };
        const int why = ask_files(h->s, REMOTE_KEEP, ret->number, max, ret, err);
        if (why == -ENODATA) {
            *err = (struct error){ 0 };
            return err_set(err, -EOPNOTSUPP, BLAME_CALLER, "CHECKPOINT",
                           "unsupported: at a level without commands there are no checkpoints");
        }
        if (!is_full(why) || !h->k->count)
            return why;
        const int e = drop(h, 0, true, ret, err);
        if (e < 0)
            return e;
    }
}

/* The kernel's half, for which the launcher makes room while the workspace is read. */
static int keep_both(const struct holder *h, struct checkpoint *ret, struct error *err)
{
    session_add_checkpoint(h->s->live, !h->k->count);
    h->k->is_making = true;
    int r = make_memory(h, ret, err);
    if (r == 0)
        r = keep_files(h, ret, err); /* first: it says whether this level has checkpoints */
    if (r == 0)
        r = session_wait_checkpoint(h->s->live, err);
    if (r == 0)
        r = ask_kernel(h->e, KERNEL_CHECKPOINT, ret->number, err);
    h->k->is_making = false;
    if (r < 0)
        session_drop_checkpoint(h->s->live, !h->k->count);
    return r;
}

static int make(const struct holder *h, struct checkpoint *ret, struct error *err)
{
    struct context_checkpoints *k = h->k;
    int r = take_place(h, ret, err);
    if (r < 0)
        return r;
    r = h->e ? keep_both(h, ret, err) : keep_files(h, ret, err);
    if (r < 0) {
        give_back(h->s, ret->number);
        return r;
    }
    k->numbers[k->count++] = ret->number;
    ret->kept = k->count;
    if (h->e)
        note_made(h->s, k);
    return 0;
}

int checkpoint_make(struct session_entry *s, struct context_entry *e, struct checkpoint *ret, struct error *err)
{
    *ret = (struct checkpoint){ 0 };
    int r = check_supported(e, err);
    if (r == 0)
        r = context_hold(e->live, err);
    if (r < 0)
        return r;
    const struct holder h = context_of(s, e);
    r = make(&h, ret, err);
    context_release(e->live);
    return r;
}

/* The workspace's own: one request at a time. */
static int hold_workspace(struct session_entry *s, struct holder *ret, struct error *err)
{
    *ret = (struct holder){ .s = s, .k = contexts_hold_workspace(s->contexts) };
    if (ret->k)
        return 0;
    (void)err_set(err, -EBUSY, BLAME_CALLER, "CHECKPOINT",
                  "a checkpoint of this workspace is being made or gone back to");
    return err_remedy(err, "ask again");
}

int checkpoint_make_workspace(struct session_entry *s, struct checkpoint *ret, struct error *err)
{
    struct holder h;
    *ret = (struct checkpoint){ 0 };
    int r = hold_workspace(s, &h, err);
    if (r < 0)
        return r;
    r = make(&h, ret, err);
    contexts_release_workspace(s->contexts);
    return r;
}

/* --- going back -------------------------------------------------------------------------------------------------- */

static int find(const struct context_checkpoints *k, uint64_t number, struct error *err)
{
    for (unsigned i = k->count; i-- > 0;)
        if (!number || k->numbers[i] == number)
            return (int)i;
    (void)err_set(err, -ENOENT, BLAME_CALLER, "CHECKPOINT", "there is %s checkpoint", number ? "no such" : "no");
    return err_remedy(err, "there are %u; the oldest go where room is needed, and an undo ends those after it",
                      k->count);
}

static int undo(const struct holder *h, uint64_t number, struct checkpoint *ret, struct error *err)
{
    struct context_checkpoints *k = h->k;
    const int index = find(k, number, err);
    if (index < 0)
        return index;
    ret->number = k->numbers[index];
    struct error ignored = { 0 };
    int r = h->e ? ask_kernel(h->e, KERNEL_UNDO, ret->number, err) : 0;
    if (r == -ENOENT)
        (void)drop(h, (unsigned)index, false, NULL, &ignored); /* or it answers so again */
    if (r < 0)
        return r;
    r = ask_files(h->s, REMOTE_RESTORE, ret->number, 0, NULL, err);
    while (k->count > (unsigned)index + 1 && drop(h, k->count - 1, false, ret, &ignored) == 0)
        continue;
    ret->kept = k->count;
    if (r < 0 && h->e)
        return err_remedy(err, "the variables are those of the checkpoint; undo again, or look at the files");
    return r;
}

int checkpoint_undo(struct session_entry *s, struct context_entry *e, uint64_t number, struct checkpoint *ret,
                    struct error *err)
{
    *ret = (struct checkpoint){ 0 };
    int r = check_supported(e, err);
    if (r == 0)
        r = context_hold(e->live, err);
    if (r < 0)
        return r;
    const struct holder h = context_of(s, e);
    r = undo(&h, number, ret, err);
    context_release(e->live);
    return r;
}

int checkpoint_undo_workspace(struct session_entry *s, uint64_t number, struct checkpoint *ret, struct error *err)
{
    struct holder h;
    *ret = (struct checkpoint){ 0 };
    int r = hold_workspace(s, &h, err);
    if (r < 0)
        return r;
    r = undo(&h, number, ret, err);
    contexts_release_workspace(s->contexts);
    return r;
}
