#include "daemon/session_files_api.h"

#include <time.h>

#include "base/clock.h"
#include "base/parse.h"
#include "daemon/download.h"
#include "daemon/query.h"
#include "daemon/routes.h"
#include "daemon/sessions_api.h"
#include "files/remote.h"

#define MAX_LISTED     10000u
#define MAX_LIST_BODY  (32 * MIB)
#define MAX_PACK_BYTES (64 * GIB)  /* what a stream may hold: the client ends one that it does not want */
#define MAX_HEADS      (256 * MIB) /* of an archive: 65,536 entries (plan/tree.c), 4 KiB for each one's names */
#define LOOK_ROUNDS    15u         /* of 20 ms: the launcher looks at a sandbox every 100 ms */
#define LOOK_ROUND_MS  20
#define STREAM_WAIT_MS 1000u /* http.h: how long a stream may say nothing */

/* One request for files, from the session to its reply. */
struct file_work {
    struct session_entry *session;
    enum session_worker kind;
    int sock;
    char buffer[REMOTE_MAX_SIZE];
    struct remote_message message;
    size_t at;  /* in message.data, of a stream */
    int failed; /* of a body that comes in pieces: remote_send_piece() */
    struct remote_writer writer;
};

/* Below /workspace; that itself is asked for without a path, since clients make «x/.» into «x/» on their own. */
static const char *path_of(const struct call *c)
{
    return c->parts[1] ? c->parts[1] : ".";
}

static struct file_work *work_free(struct file_work *w)
{
    if (w) {
        closep(&w->sock);
        closep(&w->message.fd);
        remote_writer_done(&w->writer);
        session_files_done(w->session->live, w->kind);
        (void)session_entry_unref(w->session);
    }
    free(w);
    return NULL;
}

/* --- errors ------------------------------------------------------------------------------------------------------ */

static enum answer_code code_for(int error)
{
    switch (-error) {
    case ENOENT:
        return ANSWER_NOT_FOUND;
    case EEXIST:
    case ENOTEMPTY:
    case EISDIR:
    case ENOTDIR:
    case EBUSY:
    case EAGAIN:
    case ENODATA:
    case ESHUTDOWN:
    case EPIPE:
        return ANSWER_CONFLICT;
    case EFBIG:
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
        return ANSWER_TOO_LARGE;
    case EACCES:
    case EPERM:
    case EROFS:
        return ANSWER_FORBIDDEN;
    case EINVAL:
    case EXDEV:
    case ELOOP:
    case ENXIO:
    case ENAMETOOLONG:
    case EBADMSG:
    case ENOTSUP:
        return ANSWER_UNPROCESSABLE;
    case EUSERS:
        return ANSWER_UNAVAILABLE;
    default:
        return ANSWER_SANDBOX_ERROR;
    }
}

static const char *words_for(int error)
{
    return error == -ENODATA     ? "the session has no /workspace at this risk level"
           : error == -EPIPE     ? "the session ended meanwhile"
           : error == -ETIMEDOUT ? "the session's sandbox does not answer"
           : error == -EUSERS
               ? "no more inotify instances or watches (fs.inotify.*, user.max_inotify_*): try again later"
               : tar_words(error);
}

/* what: the entry of an archive, or ""; from inside, so it is cleaned. */
static void refuse(struct call *c, int error, const char *what, struct http_answer *a)
{
    struct error err = { 0 };
    struct buf clean;
    buf_init(&clean, 4 * PATH_MAX);
    (void)buf_adds_clean(&clean, what[0] ? what : path_of(c));
    (void)err_set(&err, error, BLAME_CALLER, NULL, "%.200s: %s", clean.data ? clean.data : "?", words_for(error));
    buf_done(&clean);
    answer_error(a, c->arena, code_for(error), &err, NULL);
}

/* --- asking ------------------------------------------------------------------------------------------------------ */

/* The session's, with a worker that has the request; or NULL, and an answer was given. e: its reference is taken. */
static struct file_work *begin_in(struct call *c, struct session_entry *e, const struct remote_request *q,
                                  struct http_answer *a)
{
    struct error err = { 0 };
    struct file_work *w = calloc(1, sizeof *w);
    const enum session_worker kind = q->op == REMOTE_WATCH ? SESSION_WORKER_WATCH : SESSION_WORKER_FILES;
    int r = w ? session_files(e->live, kind, &w->sock, &err) : err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (!w || r < 0) {
        const struct answer_details later = { .retry_after_ms = 1000 };
        answer_error(a, c->arena, r == -EAGAIN ? ANSWER_RATE_LIMITED : code_for(r), &err, r == -EAGAIN ? &later : NULL);
        free(w);
        (void)session_entry_unref(e);
        return NULL;
    }
    w->session = e;
    w->kind = kind;
    w->message.fd = w->writer.fd = -EBADF;
    r = remote_send(w->sock, q);
    if (r == 0 && q->op == REMOTE_PUT && q->number) /* one that has gone has left its reply */
        w->failed = remote_writer_begin(w->sock, q->number, w->buffer, &w->writer);
    if (r == 0)
        return w;
    refuse(c, r, "", a);
    return work_free(w);
}

static struct file_work *begin(struct call *c, const struct remote_request *q, struct http_answer *a)
{
    struct session_entry *e = sessions_awake(c, a);
    return e ? begin_in(c, e, q, a) : NULL;
}

/* Waits for the reply. False: it is an error, and answered. */
static bool finish(struct call *c, struct file_work *w, struct http_answer *a)
{
    int e = remote_wait(w->sock, w->buffer, &w->message);
    if (e == 0)
        e = w->message.reply.error;
    if (e < 0)
        refuse(c, e, w->message.reply.text, a);
    return e == 0;
}

struct named {
    const char *name;
    bool is_there;
};

static bool note_name(void *context, const char *name, const char *value)
{
    struct named *n = context;
    (void)value; /* «?list» has none */
    n->is_there |= str_eq(name, n->name);
    return true;
}

static bool has_parameter(const struct call *c, const char *name)
{
    struct named n = { .name = name };
    http_query_each(c->request, note_name, &n);
    return n.is_there;
}

static bool knows(struct call *c, const char *const *names, struct http_answer *a)
{
    struct error err = { 0 };
    if (query_known(c->request, names, &err) == 0)
        return true;
    call_refuse(c, a, &err);
    return false;
}

static void put_entry(struct buf *out, const struct wfile_entry *e)
{
    wfile_entry_json(out, e);
}

static void answer_entry(struct file_work *w, const char *name, unsigned status, struct http_answer *a)
{
    const struct remote_reply *r = &w->message.reply;
    const struct wfile_entry entry = { .name = name, .target = r->text, .stat = r->stat };
    put_entry(answer_json(a, status, 64 * KIB), &entry);
}

/* --- reading --------------------------------------------------------------------------------------------------------
 */

static void show_list(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    uint64_t depth = 1;
    if (query_uint(c->request, "depth", 1, WFILE_MAX_DEPTH, &depth, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    const struct remote_request q = {
        .op = REMOTE_LIST, .path = path_of(c), .to = "", .depth = depth, .max_entries = MAX_LISTED
    };
    struct file_work *w = begin(c, &q, a);
    if (!w)
        return;
    struct buf entries;
    int e = 1;
    buf_init(&entries, MAX_LIST_BODY);
    json_open(&entries, '[');
    for (uint32_t count = 0; e == 1; count++) {
        e = remote_next(w->sock, REMOTE_PATIENCE_MS, w->buffer, &w->message);
        if (e != 1 || w->message.kind != REMOTE_ENTRY)
            break;
        e = count < MAX_LISTED ? 1 : -EBADMSG;
        put_entry(&entries, &w->message.entry);
    }
    json_close(&entries, ']');
    e = e == 0                            ? -ETIMEDOUT
        : e < 0                           ? e
        : w->message.kind != REMOTE_REPLY ? -EBADMSG
        : w->message.reply.error < 0      ? w->message.reply.error
        : entries.failed                  ? -EMFILE
                                          : 0;
    if (e < 0) {
        refuse(c, e, "", a);
    } else {
        struct buf *out = answer_json(a, 200, MAX_LIST_BODY + KIB);
        (void)buf_addf(out, "{\"entries\":%s,\"truncated\":%s}\n", entries.data,
                       w->message.reply.is_cut ? "true" : "false");
    }
    buf_done(&entries);
    (void)work_free(w);
}

static void show_stat(struct call *c, struct http_answer *a)
{
    const struct remote_request q = { .op = REMOTE_STAT, .path = path_of(c), .to = "" };
    struct file_work *w = begin(c, &q, a);
    if (w && finish(c, w, a))
        answer_entry(w, path_of(c), 200, a);
    (void)work_free(w);
}

/* «bytes=A-B», «bytes=A-», «bytes=-N»: one range. 1: *ret_from and *ret_size; 0: none that we know, so all of it (RFC
 * 9110, 14.2); -ERANGE: beyond the end. */
static int read_range(const char *text, uint64_t size, uint64_t *ret_from, uint64_t *ret_size)
{
    char first[24], last[24];
    uint64_t from = 0, to = UINT64_MAX;
    if (!text || !str_starts(text, "bytes="))
        return 0;
    text += 6;
    size_t n = strcspn(text, "-"), k = text[n] ? strlen(text + n + 1) : 0;
    if (!text[n] || n >= sizeof first || k >= sizeof last || n + k == 0)
        return 0;
    memcpy(first, text, n);
    memcpy(last, text + n + 1, k + 1);
    first[n] = '\0';
    if ((n && parse_u64(first, &from) < 0) || (k && parse_u64(last, &to) < 0) || (n && from > to))
        return 0;
    if (!n) {
        from = to < size ? size - to : 0;
        to = to ? UINT64_MAX : 0;
    }
    if (from >= size || !to)
        return n && from == 0 && size ? (*ret_from = 0, *ret_size = 1, 1) : -ERANGE;
    *ret_from = from;
    *ret_size = MIN_OF(to, size - 1) - from + 1;
    return 1;
}

static void answer_content(struct call *c, struct file_work *w, struct http_answer *a)
{
    const uint64_t size = w->message.reply.stat.size;
    uint64_t from = 0, count = UINT64_MAX;
    const int r = read_range(http_header(c->request, "Range"), size, &from, &count);
    if (r < 0) {
        struct error err = { 0 };
        (void)err_set(&err, -ERANGE, BLAME_CALLER, NULL, "Range: the file has %llu bytes", (unsigned long long)size);
        answer_error(a, c->arena, ANSWER_UNPROCESSABLE, &err, NULL);
        return;
    }
    if (r && lseek(w->message.fd, (off_t)from, SEEK_SET) < 0) {
        refuse(c, -errno, "", a);
        return;
    }
    if (!download_answer(a, TAKE_FD(w->message.fd), count)) {
        refuse(c, -ENOMEM, "", a);
        return;
    }
    download_of_session(a, session_entry_ref(w->session));
    a->status = r ? 206 : 200;
    if (r)
        http_answer_header(a, "Content-Range",
                           arena_printf(c->arena, "bytes %llu-%llu/%llu", (unsigned long long)from,
                                        (unsigned long long)(from + count - 1), (unsigned long long)size));
}

static void show_content(struct call *c, struct http_answer *a)
{
    const struct remote_request q = { .op = REMOTE_OPEN, .path = path_of(c), .to = "" };
    struct file_work *w = begin(c, &q, a);
    if (w && finish(c, w, a)) {
        if (w->message.fd >= 0)
            answer_content(c, w, a);
        else
            refuse(c, -EBADMSG, "", a);
    }
    (void)work_free(w);
}

void session_file_get(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "list", "depth", "stat", NULL };
    if (!knows(c, names, a))
        return;
    if (has_parameter(c, "stat"))
        show_stat(c, a);
    else if (has_parameter(c, "list") || !c->parts[1])
        show_list(c, a);
    else
        show_content(c, a);
}

/* --- changes --------------------------------------------------------------------------------------------------------
 */

/* «?mode=0755», in octal. */
static bool read_mode(struct call *c, uint64_t *ret, struct http_answer *a)
{
    struct error err = { 0 };
    const char *text = http_query(c->request, "mode");
    uint64_t mode = 0;
    size_t n = text ? strspn(text, "01234567") : 0;
    if (!text)
        return true;
    for (size_t i = 0; i < n && i < 8; i++)
        mode = mode << 3 | (uint64_t)(text[i] - '0');
    if (n && n <= 4 && !text[n] && mode <= 0777) {
        *ret = mode;
        return true;
    }
    (void)err_set(&err, -EINVAL, BLAME_CALLER, NULL, "mode: accepted is an octal number up to 0777");
    call_refuse(c, a, &err);
    return false;
}

/* A worker that has gone has left its reply. */
static bool is_fault(int e)
{
    return e < 0 && e != -EPIPE && e != -ECONNRESET;
}

static void feed(void *work, const char *data, size_t size)
{
    struct file_work *w = work;
    if (w->failed == 0)
        w->failed = remote_writer_write(&w->writer, w->sock, w->buffer, data, size);
}

static void end_work(void *work)
{
    (void)work_free(work);
}

/* Bytes that may come: files are the session's memory where they are not on the disk, and were that full, Linux would
 * end its processes, our steward perhaps first. As far as is known, ten times a second; an eighth is for what they do
 * meanwhile. */
static uint64_t room_in(struct session_entry *e, uint64_t *ret_seen)
{
    const struct outcome *o = session_opened(e->live);
    const uint64_t used = session_memory(e->live, ret_seen), most = o && o->memory_bytes ? o->memory_bytes / 8 * 7 : 0;
    return !most || session_is_on_disk(e->live) ? MAX_PACK_BYTES : MIN_OF(most - MIN_OF(most, used), MAX_PACK_BYTES);
}

/* What a job has just given back is seen by the next look, and told behind one that may be under way: both are waited
 * for before a body is refused. */
static uint64_t room_for(struct session_entry *e, uint64_t length)
{
    uint64_t first, seen;
    uint64_t room = room_in(e, &first);
    seen = first;
    for (unsigned i = 0; i < LOOK_ROUNDS && seen < first + 2 && length != UINT64_MAX && room < length; i++) {
        (void)nanosleep(&(struct timespec){ .tv_nsec = LOOK_ROUND_MS * 1000000L }, NULL);
        room = room_in(e, &seen);
    }
    return room;
}

/* The first half of a request with a body: a worker that has its request. */
static struct file_work *begin_body(struct call *c, struct remote_request *q, uint64_t length, struct http_answer *a)
{
    struct session_entry *e = sessions_awake(c, a);
    if (!e)
        return NULL;
    q->max_bytes = MIN_OF(length, room_for(e, length));
    if (length == UINT64_MAX || length == q->max_bytes)
        return begin_in(c, e, q, a);
    refuse(c, -EFBIG, "", a);
    (void)session_entry_unref(e);
    return NULL;
}

/* A client's body comes in pieces, so that its size is the session's concern and not ours; then this is called for both
 * halves of its request (ROUTE_FEEDS). A front has it whole. */
static void send_body(struct call *c, struct remote_request *q,
                      void (*reply)(struct call *, struct file_work *, struct http_answer *), struct http_answer *a)
{
    const struct http_request *r = c->request;
    const bool is_fed = a->feed, comes = !is_fed && r->has_body && !r->inner;
    if (comes && q->op == REMOTE_PUT && r->body_length != UINT64_MAX && r->body_length >= REMOTE_ROOM_MIN)
        q->number = r->body_length;
    struct file_work *w = is_fed ? a->context : begin_body(c, q, comes ? r->body_length : r->body_size, a);
    if (!w)
        return;
    if (comes) {
        a->feed = feed, a->done = end_work, a->context = w;
        return;
    }
    int e = w->failed;
    if (e == 0)
        e = is_fed ? remote_send_end(w->sock) : remote_send_content(w->sock, r->body, r->body_size);
    if (is_fault(e))
        refuse(c, e, "", a);
    else if (finish(c, w, a))
        reply(c, w, a);
    if (!is_fed)
        (void)work_free(w);
}

static void answer_put(struct call *c, struct file_work *w, struct http_answer *a)
{
    answer_entry(w, path_of(c), 200, a);
}

void session_file_put(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "mode", NULL };
    struct remote_request q = { .op = REMOTE_PUT, .path = path_of(c), .to = "", .mode = WFILE_MODE_KEEP };
    if (knows(c, names, a) && read_mode(c, &q.mode, a))
        send_body(c, &q, answer_put, a);
}

static bool put_one(struct call *c, struct session_entry *e, const struct session_file *f, struct http_answer *a)
{
    const struct remote_request q = {
        .op = REMOTE_PUT, .path = f->path, .to = "", .mode = WFILE_MODE_KEEP, .max_bytes = f->size
    };
    c->parts[1] = f->path; /* what an error is about */
    struct file_work *w = begin_in(c, session_entry_ref(e), &q, a);
    const int sent = w ? remote_send_content(w->sock, f->data, f->size) : 0;
    if (sent < 0)
        refuse(c, sent, "", a);
    const bool is_there = w && sent == 0 && finish(c, w, a);
    (void)work_free(w);
    return is_there;
}

bool session_files_put(struct call *c, struct session_entry *e, const struct session_asked *asked,
                       struct http_answer *a)
{
    for (uint32_t i = 0; i < asked->file_count; i++)
        if (!put_one(c, e, &asked->files[i], a))
            return false;
    return true;
}

static void do_one(struct call *c, const struct remote_request *q, struct http_answer *a)
{
    struct file_work *w = begin(c, q, a);
    if (w && finish(c, w, a)) {
        struct buf *out = answer_json(a, w->message.reply.is_made ? 201 : 200, 64 * KIB);
        json_open(out, '{');
        json_key(out, "path"), json_put_string(out, q->to[0] ? q->to : q->path);
        json_close(out, '}');
    }
    (void)work_free(w);
}

void session_file_post(struct call *c, struct http_answer *a)
{
    static const char *const making[] = { "mkdir", NULL }, *const moving[] = { "move", "replace", NULL };
    struct remote_request q = { .op = REMOTE_MKDIR, .path = path_of(c), .to = "" };
    if (has_parameter(c, "mkdir")) {
        if (knows(c, making, a))
            do_one(c, &q, a);
        return;
    }
    if (!knows(c, moving, a))
        return;
    q.op = REMOTE_MOVE;
    q.to = http_query(c->request, "move");
    q.replaces = has_parameter(c, "replace");
    if (q.to && q.to[0]) {
        do_one(c, &q, a);
        return;
    }
    struct error err = { 0 };
    (void)err_set(&err, -EINVAL, BLAME_CALLER, NULL, "expected is ?mkdir or ?move=PATH");
    call_refuse(c, a, &err);
}

void session_file_delete(struct call *c, struct http_answer *a)
{
    const struct remote_request q = { .op = REMOTE_REMOVE, .path = path_of(c), .to = "" };
    do_one(c, &q, a);
}

/* --- archives
 * --------------------------------------------------------------------------------------------------------- */

/* What is left of the message that came last. */
static ssize_t take_rest(struct file_work *w, char *to, size_t max)
{
    size_t n = MIN_OF(max, w->message.size - w->at);
    memcpy(to, w->message.data + w->at, n);
    w->at += n;
    return (ssize_t)n;
}

/* An archive that cannot be ended well is broken off, so that it does not look whole. */
static ssize_t next_part(void *context, char *to, size_t max)
{
    struct file_work *w = context;
    if (w->message.kind == REMOTE_DATA && w->at < w->message.size)
        return take_rest(w, to, max);
    if (w->message.kind != REMOTE_REPLY) {
        int e = remote_next(w->sock, STREAM_WAIT_MS, w->buffer, &w->message);
        if (e <= 0)
            return e == 0 ? 0 : -2;
        w->at = 0;
        if (w->message.kind == REMOTE_DATA)
            return take_rest(w, to, max);
    }
    return w->message.kind == REMOTE_REPLY && w->message.reply.error == 0 ? -1 : -2;
}

void session_archive_get(struct call *c, struct http_answer *a)
{
    const struct remote_request q = { .op = REMOTE_PACK, .path = path_of(c), .to = "", .max_bytes = MAX_PACK_BYTES };
    struct file_work *w = begin(c, &q, a);
    if (!w)
        return;
    /* the first bytes, or why there are none */
    int e = remote_next(w->sock, REMOTE_PATIENCE_MS, w->buffer, &w->message);
    e = e == 0 ? -ETIMEDOUT : e < 0 ? e : w->message.kind == REMOTE_REPLY ? w->message.reply.error : 0;
    if (e < 0) {
        refuse(c, e, w->message.reply.text, a);
        (void)work_free(w);
        return;
    }
    a->status = 200;
    download_headers(a, "application/x-tar");
    a->stream = next_part;
    a->done = end_work;
    a->context = w;
}

static void answer_unpacked(struct call *c, struct file_work *w, struct http_answer *a)
{
    struct buf *out = answer_json(a, 200, KIB);
    (void)c;
    json_open(out, '{');
    json_key(out, "entries"), json_uint(out, w->message.reply.count);
    json_close(out, '}');
}

void session_archive_put(struct call *c, struct http_answer *a)
{
    struct remote_request q = { .op = REMOTE_UNPACK, .path = path_of(c), .to = "" };
    send_body(c, &q, answer_unpacked, a);
}

static int too_much(uint64_t most, struct error *err)
{
    (void)err_set(err, -EFBIG, BLAME_POLICY, NULL,
                  "the files of the workspace are more than %llu bytes together, sparse ones at their full size",
                  (unsigned long long)most);
    return err_remedy(err, "make some of them smaller; resources.storage of the level is the limit");
}

/* The worker is told the limit, too, but it runs beside the code: so what comes is counted. */
static int take_pieces(struct call *c, struct file_work *w, uint64_t most,
                       int (*take)(void *context, const void *data, size_t size, struct error *err), void *context,
                       struct http_answer *a, struct error *err)
{
    for (uint64_t total = 0;;) {
        int e = remote_next(w->sock, REMOTE_PATIENCE_MS, w->buffer, &w->message);
        if (e == 1 && w->message.kind == REMOTE_DATA) {
            if ((total += w->message.size) > most + MAX_HEADS)
                return too_much(most, err);
            if ((e = take(context, w->message.data, w->message.size, err)) < 0)
                return e;
            continue;
        }
        e = e == 0 ? -ETIMEDOUT : e < 0 ? e : w->message.kind != REMOTE_REPLY ? -EBADMSG : w->message.reply.error;
        if (e == -EFBIG)
            return too_much(most, err);
        if (e < 0)
            refuse(c, e, w->message.kind == REMOTE_REPLY ? w->message.reply.text : "", a);
        return e < 0;
    }
}

int session_files_pack(struct call *c, struct session_entry *entry, uint64_t most,
                       int (*take)(void *context, const void *data, size_t size, struct error *err), void *context,
                       struct http_answer *a, struct error *err)
{
    const struct remote_request q = { .op = REMOTE_PACK, .path = ".", .to = "", .max_bytes = most };
    struct file_work *w = begin_in(c, session_entry_ref(entry), &q, a);
    const int e = w ? take_pieces(c, w, most, take, context, a, err) : 1;
    (void)work_free(w);
    return e;
}

int session_files_unpack(struct call *c, struct session_entry *entry,
                         int (*next)(void *context, const void **ret, size_t *ret_size, struct error *err),
                         void *context, struct http_answer *a, struct error *err)
{
    const struct remote_request q = { .op = REMOTE_UNPACK, .path = ".", .to = "", .max_bytes = MAX_PACK_BYTES };
    struct file_work *w = begin_in(c, session_entry_ref(entry), &q, a);
    const void *data;
    size_t size = 1;
    int sent = 0, e = w ? 0 : 1;
    while (e == 0 && sent == 0 && size) {
        e = next(context, &data, &size, err);
        if (e == 0)
            sent = size ? remote_send_piece(w->sock, data, size) : remote_send_end(w->sock);
    }
    if (is_fault(sent)) {
        refuse(c, sent, "", a);
        e = 1;
    }
    if (e == 0)
        e = !finish(c, w, a);
    (void)work_free(w);
    return e;
}

/* --- watching -------------------------------------------------------------------------------------------------- */

#define WATCH_SECONDS_MAX 86400u

/* Server-Sent Events of what the worker tells. */
struct watch {
    struct file_work *work;
    uint64_t until_ms; /* CLOCK_MONOTONIC; 0: as long as it goes */
    bool is_last;      /* `text` ends the stream */
    struct buf text;   /* of the next event, from `at` on */
    size_t at;
};

static void begin_event(struct watch *w)
{
    buf_done(&w->text);
    buf_init(&w->text, 64 * KIB);
    w->at = 0;
    (void)buf_adds(&w->text, "data: ");
}

static void end_event(struct watch *w)
{
    (void)buf_adds(&w->text, "\n\n");
}

static void put_last(struct watch *w)
{
    begin_event(w);
    (void)buf_adds(&w->text, "{\"type\":\"end\"}");
    end_event(w);
    w->is_last = true;
}

/* 1: there is a text; 0: nothing yet. */
static int next_event(struct watch *w)
{
    struct file_work *f = w->work;
    const uint64_t now = clock_ms(), wait_ms = w->until_ms ? w->until_ms - MIN_OF(w->until_ms, now) : STREAM_WAIT_MS;
    const int e = w->until_ms && !wait_ms
                      ? -ETIMEDOUT
                      : remote_next(f->sock, MIN_OF(wait_ms, STREAM_WAIT_MS), f->buffer, &f->message);
    if (e == 0)
        return 0;
    if (e < 0 || f->message.kind != REMOTE_EVENT) { /* its time is over, or the session, or the directory is gone */
        put_last(w);
        return 1;
    }
    begin_event(w);
    wfile_event_json(&w->text, &f->message.event);
    end_event(w);
    return 1;
}

static ssize_t next_watch_part(void *context, char *to, size_t max)
{
    struct watch *w = context;
    if (w->at == w->text.size) {
        if (w->is_last)
            return -1;
        if (next_event(w) == 0)
            return 0;
    }
    if (w->text.failed)
        return -2;
    const size_t n = MIN_OF(max, w->text.size - w->at);
    memcpy(to, w->text.data + w->at, n);
    w->at += n;
    return (ssize_t)n;
}

static void end_watch(void *context)
{
    struct watch *w = context;
    (void)work_free(w->work);
    buf_done(&w->text);
    free(w);
}

/* Its worker has answered that it watches. f: taken. */
static void stream_watch(struct call *c, struct file_work *f, uint64_t seconds, struct http_answer *a)
{
    struct watch *w = calloc(1, sizeof *w);
    if (!w) {
        refuse(c, -ENOMEM, "", a);
        (void)work_free(f);
        return;
    }
    w->work = f;
    w->until_ms = seconds == UINT64_MAX ? 0 : clock_ms() + seconds * 1000;
    begin_event(w);
    (void)buf_addf(&w->text, "{\"type\":\"watching\",\"truncated\":%s}", f->message.reply.is_cut ? "true" : "false");
    end_event(w);
    a->status = 200;
    a->content_type = "text/event-stream";
    http_answer_header(a, "Cache-Control", "no-cache");
    a->stream = next_watch_part;
    a->done = end_watch;
    a->context = w;
}

void session_watch(struct call *c, struct http_answer *a)
{
    static const char *const names[] = { "path", "recursive", "seconds", NULL };
    struct error err = { 0 };
    uint64_t seconds = UINT64_MAX;
    if (query_known(c->request, names, &err) < 0 ||
        (http_query(c->request, "seconds") &&
         query_uint(c->request, "seconds", 0, WATCH_SECONDS_MAX, &seconds, &err) < 0)) {
        call_refuse(c, a, &err);
        return;
    }
    const char *path = http_query(c->request, "path");
    const struct remote_request q = { .op = REMOTE_WATCH,
                                      .path = path && path[0] ? path : ".",
                                      .to = "",
                                      .depth = has_parameter(c, "recursive") ? WFILE_MAX_DEPTH : 1 };
    c->parts[1] = q.path; /* what an error is about */
    struct file_work *w = begin(c, &q, a);
    if (w && finish(c, w, a))
        stream_watch(c, w, seconds, a);
    else
        (void)work_free(w);
}
