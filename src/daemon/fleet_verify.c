/* fleet_verify.c - the audits of all nodes against what the nodes have signed of each other's.
 *
 * What others signed of a log are points: a size and a root. They come from the database, each with the signatures of
 * the log and of the witness, and from this node's own disk. Then the log is looked at: line by line from files, or by
 * asking its node for a checkpoint and a proof from each point. Points are gathered before the log is read, so that one
 * that grows meanwhile is longer than all of them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/verify.h"
#include "base/json.h"
#include "daemon/fleet_audit.h"

#define MAX_POINTS   256u
#define PROBLEMS_MAX (256u * KIB)
#define ANSWER_MAX   (64u * KIB)
#define MAX_SHOWN    20u

struct point {
    struct checkpoint at;
    const char *by; /* the arena's */
    uint64_t made_ms;
};
struct look { /* at one node's audit */
    struct fleet_audit *f;
    const struct fleet_node *n;
    struct point points[MAX_POINTS];
    uint32_t count;
    bool has_anchor;
    struct checkpoint anchor;
    uint64_t anchor_ms, anchor_age_ms, witnessed_age_ms; /* UINT64_MAX: it was never */
    uint64_t lines;                                      /* of those that were compared, or of the checkpoint */
    const char *how;                                     /* it was looked at */
    uint32_t problems;
    struct buf told; /* json: elements of an array; else lines */
};

static void PRINTF_LIKE(2, 3) problem(struct look *k, const char *fmt, ...)
{
    char text[700];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (k->problems++ >= MAX_SHOWN)
        return;
    if (k->f->json) {
        json_put_string(&k->told, text);
        return;
    }
    (void)buf_addf(&k->told, "node %s: ", k->n->name);
    (void)buf_adds_clean(&k->told, text);
    (void)buf_addc(&k->told, '\n');
}

/* --- points ------------------------------------------------------------------------------------------------------- */

static const struct fleet_node *node_of(const struct fleet_audit *f, const char *name)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (str_eq(f->nodes[i].name, name))
            return &f->nodes[i];
    return NULL;
}

static void add_point(struct look *k, const struct checkpoint *at, const char *by, uint64_t made_ms)
{
    if (k->count == MAX_POINTS) {
        problem(k, "more than %u nodes have signed it: not all were compared", MAX_POINTS);
        return;
    }
    k->points[k->count++] = (struct point){ *at, arena_copy(&k->f->arena, by), made_ms };
}

/* Only of a node whose key is known, and never of the log's own one. */
static void take_cosignature(void *context, const struct cosignature *c)
{
    struct look *k = context;
    const struct fleet_node *w = node_of(k->f, c->witness);
    struct checkpoint at;
    if (!w || !w->is_claimed || memcmp(w->log, k->n->log, 32) == 0 ||
        !cosign_is_good(c->note, c->note_size, k->n->log, w->log, &at, NULL))
        return;
    k->witnessed_age_ms = MIN_OF(k->witnessed_age_ms, c->age_ms);
    add_point(k, &at, c->witness, c->made_ms);
}

static void take_anchor(void *context, const struct anchor *a)
{
    struct look *k = context;
    k->anchor_ms = a->made_ms;
    k->anchor_age_ms = a->age_ms;
    k->has_anchor = checkpoint_is_of(a->note, a->note_size, k->n->log, &k->anchor);
    if (!k->has_anchor)
        problem(k, "its newest checkpoint is not signed with its key");
}

/* What this machine remembers, whatever the database says. */
static void add_remembered(struct look *k, struct cosigned_list *own)
{
    const struct cosigned *c = cosigned_find(own, k->n->log);
    if (!c || !*c->note)
        return;
    if (c->refused)
        problem(k, "its audit %s: this node does not sign it any more", cosign_words[c->refused]);
    add_point(k, &c->last, "this node's own memory", c->made_ms);
}

static int by_size(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    return x->at.size < y->at.size ? -1 : x->at.size > y->at.size;
}

static int gather(struct look *k, struct cosigned_list *own, struct error *err)
{
    struct store *s = k->f->store;
    int e = postgres_anchors(s, k->n->name, k->n->log_hex, take_anchor, k, err);
    if (e == 0)
        e = postgres_cosignatures(s, k->n->log_hex, 0, take_cosignature, k, err);
    if (e == 0)
        add_remembered(k, own);
    qsort(k->points, k->count, sizeof k->points[0], by_size);
    return e;
}

/* --- points against each other ------------------------------------------------------------------------------------ */

static bool is_same_root(const struct checkpoint *a, const struct checkpoint *b)
{
    return memcmp(&a->root, &b->root, sizeof a->root) == 0;
}

static void compare_points(struct look *k)
{
    for (uint32_t i = 1; i < k->count; i++)
        if (k->points[i].at.size == k->points[i - 1].at.size && !is_same_root(&k->points[i].at, &k->points[i - 1].at))
            problem(k, "%s and %s have signed two histories of %llu lines: its key has signed both",
                    k->points[i - 1].by, k->points[i].by, (unsigned long long)k->points[i].at.size);
    for (uint32_t i = 0; k->has_anchor && i < k->count; i++) {
        const struct point *p = &k->points[i];
        if (p->at.size == k->anchor.size && !is_same_root(&p->at, &k->anchor))
            problem(k, "history was written anew: %s has signed %llu lines with another root", p->by,
                    (unsigned long long)p->at.size);
        else if (p->at.size > k->anchor.size && p->made_ms < k->anchor_ms)
            problem(k, "history was written anew: %s has signed %llu lines, and a later checkpoint has %llu", p->by,
                    (unsigned long long)p->at.size, (unsigned long long)k->anchor.size);
    }
}

/* --- the log itself ----------------------------------------------------------------------------------------------- */

static void take_problem(void *context, const struct verify_problem *p)
{
    if (!p->is_note)
        problem(context, "%s%s%s", p->file ? p->file : "", p->file ? ": " : "", p->text);
}

static int verify_files(struct look *k, bool is_own, struct error *err)
{
    struct checkpoint *witnessed = calloc(k->count + 1u, sizeof *witnessed);
    const uint32_t first = k->f->config->security.audit_first_line;
    struct verify_options o = { .dir = is_own ? locations_audit_dir(&k->f->places) : k->n->files,
                                .key_dir = is_own ? k->f->places.state_dir : NULL,
                                .first = is_own && first > 1 ? first : 0,
                                .key_count = 1,
                                .witnessed = witnessed,
                                .witnessed_count = k->count };
    struct verify_result r;
    if (!witnessed)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    memcpy(o.keys[0], k->n->log, 32);
    for (uint32_t i = 0; i < k->count; i++)
        witnessed[i] = k->points[i].at;
    k->how = is_own ? "its files, here" : "its files, given";
    int e = audit_verify(&o, take_problem, k, &r, err);
    k->lines = r.lines;
    free(witnessed);
    return e;
}

static int ask_checkpoint(struct look *k, struct checkpoint *ret, struct error *err)
{
    struct buf note;
    int e = fleet_ask(k->f, k->n, "/audit/checkpoint", ANSWER_MAX, &note, err);
    if (e == 0 && !checkpoint_is_of(note.data ? note.data : "", note.size, k->n->log, ret))
        e = err_set(err, -EBADMSG, BLAME_POLICY, NULL, "its checkpoint is not signed with the key that is registered");
    buf_done(&note);
    return e;
}

static int ask_proof(struct look *k, uint64_t from, uint64_t to, struct tree_proof *ret, struct error *err)
{
    struct buf text;
    const char *path = arena_printf(&k->f->arena, "/audit/consistency?from=%llu&to=%llu", (unsigned long long)from,
                                    (unsigned long long)to);
    int e = fleet_ask(k->f, k->n, path, ANSWER_MAX, &text, err);
    if (e == 0 && !note_read_proof(text.data, text.size, ret))
        e = err_set(err, -EBADMSG, BLAME_POLICY, NULL, "its proof is no list of hashes");
    buf_done(&text);
    return e;
}

/* A proof holds for the size alone: points of one size and root have one. */
static int prove(struct look *k, const struct point *p, const struct checkpoint *now, struct error *err)
{
    struct tree_proof proof = { 0 };
    int e = 0;
    if (p->at.size > now->size) {
        problem(k, "history was written anew, or lines are missing: %s has signed %llu lines, and it has %llu", p->by,
                (unsigned long long)p->at.size, (unsigned long long)now->size);
        return 0;
    }
    if (p->at.size && p->at.size < now->size)
        e = ask_proof(k, p->at.size, now->size, &proof, err);
    if (e == 0 && p->at.size && !tree_continues(p->at.size, &p->at.root, now->size, &now->root, &proof))
        problem(k, "history was written anew: its %llu lines do not begin with the %llu that %s has signed",
                (unsigned long long)now->size, (unsigned long long)p->at.size, p->by);
    return e;
}

static void verify_by_asking(struct look *k)
{
    struct checkpoint now;
    struct error err = { 0 };
    int e = ask_checkpoint(k, &now, &err);
    k->how = "asked for proofs";
    for (uint32_t i = 0; e == 0 && i < k->count; i++)
        if (!i || k->points[i].at.size != k->points[i - 1].at.size ||
            !is_same_root(&k->points[i].at, &k->points[i - 1].at))
            e = prove(k, &k->points[i], &now, &err);
    if (e == 0) {
        k->lines = now.size;
        return;
    }
    k->how = "the checkpoints alone";
    problem(k, "its lines were not compared: %s", err.text);
}

/* --- one node ----------------------------------------------------------------------------------------------------- */

static uint32_t count_alive(const struct fleet_audit *f)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->count; i++)
        n += f->nodes[i].silent_ms < FLEET_ALIVE_MS && !f->nodes[i].cut_ms;
    return n;
}

/* A node with another name now: the log goes on under that. */
static const char *renamed_to(const struct fleet_audit *f, const struct fleet_node *n)
{
    for (uint32_t i = 0; n->has_chain && i < f->count; i++)
        if (&f->nodes[i] != n && f->nodes[i].is_claimed && f->nodes[i].silent_ms < FLEET_ALIVE_MS &&
            memcmp(f->nodes[i].log, n->log, 32) == 0)
            return f->nodes[i].name;
    return NULL;
}

static void check_state(struct look *k)
{
    const struct fleet_node *n = k->n;
    const bool is_alive = n->silent_ms < FLEET_ALIVE_MS;
    if (!is_alive)
        problem(k, "is missing: it was last heard of %llu s ago", (unsigned long long)(n->silent_ms / 1000));
    if (is_alive && k->anchor_age_ms > FLEET_STALLED_MS)
        problem(k, "is stalled: it lives, and has given no checkpoint of its audit within %u s",
                FLEET_STALLED_MS / 1000);
    if (is_alive && count_alive(k->f) > 1 && k->witnessed_age_ms > FLEET_STALLED_MS)
        problem(k, "is not witnessed: no other node has signed its audit within %u s", FLEET_STALLED_MS / 1000);
}

static int look_at(struct look *k, struct cosigned_list *own, struct error *err)
{
    const bool is_own = str_eq(k->n->name, postgres_node_name(k->f->store)) && !k->n->files;
    int e = 0;
    if (!k->n->is_claimed) {
        problem(k, k->n->has_chain ? "its audit's key has not signed its name"
                                   : "has no audit that is registered (fleet.witnesses, store grant)");
        return 0;
    }
    e = gather(k, own, err);
    if (e < 0)
        return e;
    compare_points(k);
    check_state(k);
    if (is_own || k->n->files)
        return verify_files(k, is_own, err);
    if (k->n->silent_ms < FLEET_ALIVE_MS)
        verify_by_asking(k);
    return 0;
}

static void print_points(const struct look *k, struct buf *b)
{
    for (uint32_t i = 0; i < k->count; i++) {
        if (k->f->json) {
            json_open(b, '{');
            json_key(b, "by"), json_put_string(b, k->points[i].by);
            json_key(b, "size"), json_uint(b, k->points[i].at.size);
            json_close(b, '}');
        } else {
            (void)buf_addf(b, "%s%s (%llu)", i ? ", " : "", k->points[i].by, (unsigned long long)k->points[i].at.size);
        }
    }
}

static void print_node(struct look *k, const char *note)
{
    struct buf b;
    buf_init(&b, 2 * PROBLEMS_MAX);
    if (k->f->json) {
        json_open(&b, '{');
        json_key(&b, "node"), json_put_string(&b, k->n->name);
        json_key(&b, "ok"), json_bool(&b, !k->problems);
        json_key(&b, "lines"), json_uint(&b, k->lines);
        json_key(&b, "how"), json_put_string(&b, note ? note : k->how);
        json_key(&b, "signed"), json_open(&b, '['), print_points(k, &b), json_close(&b, ']');
        json_key(&b, "problem_count"), json_uint(&b, k->problems);
        json_key(&b, "problems");
        (void)buf_addf(&b, "[%s]", k->told.data ? k->told.data : "");
        json_close(&b, '}');
    } else if (k->problems || note) {
        (void)buf_adds(&b, k->told.data ? k->told.data : "");
        if (note)
            (void)buf_addf(&b, "node %s: %s\n", k->n->name, note);
    } else {
        (void)buf_addf(&b, "node %s: ok: %llu lines (%s), signed by ", k->n->name, (unsigned long long)k->lines,
                       k->how ? k->how : "not looked at");
        print_points(k, &b);
        (void)buf_adds(&b, k->count ? "\n" : "none\n");
    }
    (void)fwrite(b.data ? b.data : "", 1, b.size, stdout);
    buf_done(&b);
}

static int verify_node(struct fleet_audit *f, const struct fleet_node *n, struct cosigned_list *own, uint32_t *problems,
                       struct error *err)
{
    const char *other = n->silent_ms >= FLEET_ALIVE_MS ? renamed_to(f, n) : NULL, *note = NULL;
    struct look *k = calloc(1, sizeof *k);
    int e = 0;
    if (!k)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    *k = (struct look){ .f = f, .n = n, .anchor_age_ms = UINT64_MAX, .witnessed_age_ms = UINT64_MAX };
    buf_init(&k->told, PROBLEMS_MAX);
    if (n->cut_ms)
        note = "is cut off";
    else if (other)
        note = arena_printf(&f->arena, "is node %s now", other);
    else
        e = look_at(k, own, err);
    if (e == 0)
        print_node(k, note);
    *problems += k->problems;
    buf_done(&k->told);
    free(k);
    return e;
}

int fleet_verify(struct fleet_audit *f, struct error *err)
{
    struct cosigned_list own = { 0 };
    uint32_t problems = 0;
    int e = f->places.state_dir ? cosigned_read(f->places.state_dir, &own, err) : 0;
    if (e < 0 && err->code == -ENOENT) { /* no state directory: an administrator's machine */
        *err = (struct error){ 0 };
        e = 0;
    }
    if (f->json)
        (void)printf("{\"nodes\":[");
    for (uint32_t i = 0; e == 0 && i < f->count; i++) {
        if (f->json && i)
            (void)printf(",");
        e = verify_node(f, &f->nodes[i], &own, &problems, err);
    }
    cosigned_done(&own);
    if (e < 0)
        return e;
    if (f->json)
        (void)printf("],\"ok\":%s,\"problem_count\":%u}\n", problems ? "false" : "true", problems);
    else if (problems)
        (void)printf("%u problem%s in the audits of %u nodes\n", problems, problems == 1 ? "" : "s", f->count);
    else
        (void)printf("ok: the audits of %u nodes\n", f->count);
    return problems ? 1 : 0;
}
