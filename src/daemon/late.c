#include "daemon/late.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/dirs.h"
#include "base/io.h"
#include "daemon/runner_row.h"
#include "run/learn.h"
#include "store/message.h"

#define SETTLE   ".settle"
#define FINISH   ".finish"
#define NEW      ".new"
#define BAD      ".bad"
#define RIPE_MS  1000u                 /* by then the run's own thread has written its line in the audit */
#define MOST     (UINT64_C(256) * MIB) /* of results on the disk; beyond it ends are kept without them */
#define MAX_FILE (2 * STORE_RESULT_MAX + MIB)
#define MOST_BAD (UINT64_C(64) * MIB) /* of files that were put aside; beyond it the log alone has them */

struct late {
    struct service *service;
    int dir;
    pthread_mutex_t lock;          /* around bringing */
    _Atomic uint64_t count, bytes; /* files; bytes: about */
};

/* --- keeping ---------------------------------------------------------------------------------------- */

static int fail(struct error *err, int e, const char *what)
{
    (void)err_set(err, e, BLAME_HOST, "STORE", "late ends: %s: %s", what, strerror(-e));
    return err_remedy(err, "see that there is room below sandbox.paths.state_dir"), e;
}

/* Whole and on the disk, or not there. */
static int write_new(int dir, const char *name, const struct buf *b)
{
    char aside[STORE_ID_MAX + 32];
    (void)snprintf(aside, sizeof aside, "%s" NEW, name);
    cleanup(closep) int fd = openat(dir, aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    int e = fd < 0 ? -errno : write_all(fd, b->data, b->size);
    if (e == 0 && (fsync(fd) < 0 || renameat(dir, aside, dir, name) < 0))
        e = -errno;
    if (e < 0 && fd >= 0)
        (void)unlinkat(dir, aside, 0);
    if (e == 0 && fsync(dir) < 0) { /* the caller says that it was not kept, and does otherwise */
        e = -errno;
        (void)unlinkat(dir, name, 0);
    }
    return e;
}

static int keep(struct late *l, const char *id, const char *kind, const struct buf *b, struct error *err)
{
    char name[STORE_ID_MAX + 16];
    if (b->failed)
        return fail(err, -ENOMEM, id);
    if (!*id || *id == '.' || strchr(id, '/') || strlen(id) > STORE_ID_MAX)
        return fail(err, -EINVAL, "an id that is none");
    (void)snprintf(name, sizeof name, "%s%s", id, kind);
    int e = write_new(l->dir, name, b);
    if (e < 0)
        return fail(err, e, name);
    l->count++;
    l->bytes += b->size;
    return 0;
}

int late_keep_settle(struct late *l, const struct settle *r, struct error *err)
{
    struct buf b;
    buf_init(&b, MAX_FILE);
    pack_u64(&b, l->service->start_ms);
    pack_u64(&b, wall_clock_ms());
    struct buf message;
    buf_init(&message, LEDGER_MAX_MESSAGE);
    pack_ledger_request(&message, LEDGER_SETTLE, r);
    pack_bytes(&b, (struct bytes){ message.data, (uint32_t)message.size });
    b.failed |= message.failed;
    int e = keep(l, r->execution_id, SETTLE, &b, err);
    buf_done(&message);
    buf_done(&b);
    return e;
}

int late_keep_finish(struct late *l, const struct late_finish *f, struct error *err)
{
    const struct execution_row *r = f->row;
    const bool has_room = l->bytes < MOST;
    struct buf b;
    buf_init(&b, MAX_FILE);
    pack_str(&b, r->id);
    pack_u64(&b, (uint64_t)(r->level + 1));
    pack_u64(&b, (uint64_t)r->reason);
    pack_u64(&b, r->finished_ms);
    pack_u64(&b, r->is_told);
    pack_u64(&b, f->releases);
    pack_u64(&b, f->is_retried);
    pack_u64(&b, f->is_audited);
    pack_u64(&b, r->result && has_room);
    pack_bytes(&b, has_room && r->result ? (struct bytes){ r->result, (uint32_t)r->result_size } : (struct bytes){ 0 });
    pack_u64(&b, r->events && has_room);
    pack_bytes(&b, has_room && r->events ? (struct bytes){ r->events, (uint32_t)r->events_size } : (struct bytes){ 0 });
    int e = keep(l, r->id, FINISH, &b, err);
    buf_done(&b);
    return e;
}

/* --- bringing ----------------------------------------------------------------------------------------- */

/* What is no file, like a pipe that nobody writes to, is not waited for. */
static int read_record(const struct late *l, const char *name, struct buf *b)
{
    struct stat st;
    cleanup(closep) int fd = openat(l->dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    buf_init(b, MAX_FILE + MIB);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    return S_ISREG(st.st_mode) ? read_open_file(fd, b) : -EBADMSG;
}

/* This host is short of something: it says nothing of the file. */
static bool is_short(int e)
{
    return e == -EMFILE || e == -ENFILE || e == -ENOMEM;
}

struct finish_record {
    struct execution_row row;
    struct late_finish how;
};

static int unpack_finish(const struct buf *b, struct finish_record *ret)
{
    struct unpack u = unpack_start(b->data, b->size);
    *ret = (struct finish_record){ 0 };
    ret->row.id = unpack_str(&u);
    const uint64_t level = unpack_u64(&u), reason = unpack_u64(&u); /* the store refuses what is none */
    ret->row.level = level <= RISK_COUNT ? (int)level - 1 : RISK_COUNT;
    ret->row.reason = reason < REASON_COUNT ? (int)reason : REASON_COUNT;
    ret->row.finished_ms = unpack_u64(&u);
    ret->row.is_told = unpack_u64(&u);
    ret->how.releases = unpack_u64(&u);
    ret->how.is_retried = unpack_u64(&u);
    ret->how.is_audited = unpack_u64(&u);
    const bool has_result = unpack_u64(&u);
    const struct bytes result = unpack_bytes(&u);
    const bool has_events = unpack_u64(&u);
    const struct bytes events = unpack_bytes(&u);
    ret->row.result = has_result ? result.data : NULL;
    ret->row.result_size = result.size;
    ret->row.events = has_events ? events.data : NULL;
    ret->row.events_size = events.size;
    return unpack_end(&u) < 0 || !ret->row.id ? -EBADMSG : 0;
}

/* Of a service that died between the two it is not known otherwise. */
static bool is_audited(const struct late *l, const char *id)
{
    char name[STORE_ID_MAX + 16];
    struct finish_record f;
    struct buf b;
    (void)snprintf(name, sizeof name, "%s" FINISH, id);
    const bool is = read_record(l, name, &b) == 0 && unpack_finish(&b, &f) == 0 && f.how.is_audited;
    buf_done(&b);
    return is;
}

/* What follows from it for the agent: what the run's own thread would have told. */
static void tell(struct service *v, const struct settle *r, const struct settle_reply *reply, struct arena *arena)
{
    struct policy_set *set = service_policies(v);
    struct execution_row row;
    struct error err = { 0 };
    struct trail trail = { .shared = &v->trail };
    struct judgement j;
    judge_init(&j, arena, r->execution_id);
    (void)pthread_mutex_lock(&v->store_lock);
    const bool is_there = store_execution_get(v->store, r->execution_id, &row, &err) == 1;
    j.agent_id = is_there && row.agent_id ? arena_copy(arena, row.agent_id) : NULL;
    const int level = is_there && row.level >= 0 ? row.level : 0;
    (void)pthread_mutex_unlock(&v->store_lock);
    const struct config *c = &set->level[level].config;
    j.ledger = service_ledger(v, arena);
    j.settled = *reply;
    j.is_settled = true;
    if (j.agent_id && trail_open(&trail, v->paths, c, arena, &err) == 0 &&
        learn_tell(&j, &trail, c, wall_clock_ms(), &err) < 0)
        service_log(v, LOG_ERROR, "execution %s: what follows from its end is not in the audit: %s", r->execution_id,
                    err.text);
    trail_close(&trail);
    judge_done(&j);
    (void)policy_set_unref(set);
}

/* 0; -EAGAIN: it is too young. */
static int bring_settle(struct late *l, const struct buf *b, struct error *err)
{
    struct service *v = l->service;
    struct unpack u = unpack_start(b->data, b->size);
    union ledger_any_request request;
    struct settle_reply reply = { 0 };
    struct arena arena = { 0 };
    uint64_t type = 0;
    const bool is_ours = unpack_u64(&u) == v->start_ms;
    const uint64_t kept_ms = unpack_u64(&u);
    const struct bytes message = unpack_bytes(&u);
    if (unpack_end(&u) < 0 || unpack_ledger_request(message.data, message.size, &type, &request) < 0 ||
        type != LEDGER_SETTLE)
        return err_set(err, -EBADMSG, BLAME_HOST, "STORE", "it is no end of a run");
    if (is_ours && wall_clock_ms() < kept_ms + RIPE_MS && wall_clock_ms() >= kept_ms)
        return -EAGAIN;
    request.settle.awaits_audit = !is_ours && !is_audited(l, request.settle.execution_id);
    int e = gather_settle(v->gather, &request.settle, &reply, &arena, err);
    if (e == 0 && reply.was_settled)
        tell(v, &request.settle, &reply, &arena);
    arena_done(&arena);
    return e;
}

static int bring_finish(struct late *l, const struct buf *b, struct error *err)
{
    struct service *v = l->service;
    struct finish_record f;
    if (unpack_finish(b, &f) < 0)
        return err_set(err, -EBADMSG, BLAME_HOST, "STORE", "it is no end of an execution");
    int e = row_finish(v, &f.row, f.how.releases, f.how.is_retried, err);
    e = e == -EXDEV ? 0 : e; /* told by the node that has it */
    if (e == 0)
        service_log(v, LOG_INFO, "execution %s: the store has its end now", f.row.id);
    return e;
}

/* Anew each time: its position is its own. NULL: errno. */
static DIR *list(const struct late *l)
{
    const int fd = openat(l->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return fd < 0 ? NULL : fdopendir(fd);
}

static bool has_end(const char *name, const char *end)
{
    const size_t n = strlen(name), m = strlen(end);
    return n > m && str_eq(name + n - m, end);
}

/* Seldom, and a person may remove some at any time: counted anew. */
static bool has_room_aside(const struct late *l, size_t size)
{
    DIR *d = list(l);
    uint64_t sum = size;
    struct stat st;
    for (const struct dirent *at; d && (at = readdir(d)) != NULL;)
        if (has_end(at->d_name, BAD) && fstatat(l->dir, at->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            sum += (uint64_t)st.st_size;
    if (d)
        (void)closedir(d);
    return sum <= MOST_BAD;
}

static void forget(struct late *l, const char *name, size_t size, bool is_put_aside)
{
    char aside[STORE_ID_MAX + 32];
    (void)snprintf(aside, sizeof aside, "%s" BAD, name);
    if (is_put_aside ? renameat(l->dir, name, l->dir, aside) < 0 : unlinkat(l->dir, name, 0) < 0)
        service_log(l->service, LOG_ERROR, "late ends: %s: %s", name, strerror(errno));
    l->count -= l->count > 0;
    l->bytes -= MIN_OF((uint64_t)size, (uint64_t)l->bytes);
}

/* One that cannot be read, or that the store refuses, stops no other: it is put aside, or removed where too much is. */
static int bring_one(struct late *l, const char *name, int (*bring)(struct late *, const struct buf *, struct error *),
                     struct error *err)
{
    struct error why = { 0 };
    struct buf b;
    int e = read_record(l, name, &b);
    e = e == 0 ? bring(l, &b, &why) : fail(&why, e, name);
    const bool may_pass = is_short(e) || e == -EAGAIN || service_store_may_pass(l->service, e);
    const bool is_put_aside = e < 0 && !may_pass && has_room_aside(l, b.size);
    if (e < 0 && !may_pass)
        service_log(l->service, LOG_ERROR, "late ends: %s is %s: %s", name,
                    is_put_aside ? "put aside" : "removed, since too many were put aside", why.text);
    if (e == 0 || !may_pass)
        forget(l, name, b.size, is_put_aside);
    buf_done(&b);
    if (may_pass && err)
        *err = why;
    return may_pass ? e : 0;
}

/* Of one kind; ends with the first that the store cannot take now. */
static int bring_kind(struct late *l, const char *kind, int (*bring)(struct late *, const struct buf *, struct error *),
                      struct error *err)
{
    DIR *d = list(l);
    int left = 0, e = 0;
    if (!d)
        return fail(err, -errno, "the directory");
    for (const struct dirent *at; (e == 0 || e == -EAGAIN) && (at = readdir(d)) != NULL;)
        if (has_end(at->d_name, kind)) {
            e = bring_one(l, at->d_name, bring, err);
            left = e < 0 ? e : left;
        }
    (void)closedir(d);
    return left;
}

int late_bring(struct service *v, struct error *err)
{
    struct late *l = v->late;
    if (!l || !l->count)
        return 0;
    (void)pthread_mutex_lock(&l->lock);
    int e = bring_kind(l, SETTLE, bring_settle, err);
    if (e == 0 || e == -EAGAIN) {
        int finish = bring_kind(l, FINISH, bring_finish, err);
        e = e == 0 ? finish : e;
    }
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

/* --- life --------------------------------------------------------------------------------------------- */

static int count_files(struct late *l, struct error *err)
{
    DIR *d = list(l);
    struct stat st;
    if (!d)
        return fail(err, -errno, "the directory");
    for (const struct dirent *at; (at = readdir(d)) != NULL;) {
        if (has_end(at->d_name, NEW)) /* its writer died: it was never told that it is there */
            (void)unlinkat(l->dir, at->d_name, 0);
        if (!has_end(at->d_name, SETTLE) && !has_end(at->d_name, FINISH))
            continue;
        l->count++;
        l->bytes += fstatat(l->dir, at->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 ? (uint64_t)st.st_size : 0;
    }
    (void)closedir(d);
    return 0;
}

int late_open(struct service *v, struct late **ret, struct error *err)
{
    if (!store_has_nodes(v->store) || !v->places.state_dir)
        return 0;
    struct late *l = calloc(1, sizeof *l);
    if (!l)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    const char *path = arena_printf(&v->arena, "%s/late", v->places.state_dir);
    l->service = v;
    (void)pthread_mutex_init(&l->lock, NULL);
    (void)make_dirs(path, 0700); /* or it is there */
    l->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    int e = l->dir < 0 ? fail(err, -errno, path) : count_files(l, err);
    if (e < 0)
        (void)late_free(l);
    else
        *ret = l;
    return e;
}

struct late *late_free(struct late *l)
{
    if (!l)
        return NULL;
    closep(&l->dir);
    (void)pthread_mutex_destroy(&l->lock);
    free(l);
    return NULL;
}
