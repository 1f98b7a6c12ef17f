#include "daemon/cosigner.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "audit/chain.h"
#include "audit/cosign.h"
#include "audit/hmac.h"
#include "base/clock.h"
#include "daemon/audit_api.h"
#include "daemon/service.h"
#include "daemon/turns.h"
#include "postgres/postgres.h"
#include "run/alert.h"

#define REFRESH_MS 10000u  /* who is there: after ten turns, or this */
#define ALIVE_MS   60000u  /* a node that was silent for longer witnesses nothing */
#define SPEAKS_MS  5000u   /* a node says each second that it lives */
#define ANCHOR_MS  30000u  /* also of an audit that did not grow: after thirty turns, or this */
#define CLAIMED_MS 120000u /* proofs are made for what was signed, or signed again, within this time */
#define TWINS_MS   10000u  /* a node with a new name has ended under its old one for this long */
#define AGAIN_MS   30000u  /* so what waits for a proof is signed again after this */
#define THIN_MS    3600000u
#define PROOFS     32u

struct peer {
    char node[COSIGN_MAX_NAME + 1];
    uint8_t log[32];
    uint64_t registered_ms;
    bool is_alive, speaks, is_witnessed; /* by us */
    uint64_t twins_ms;                   /* clock_ms() since when another node speaks with the same log; 0: none does */
};
struct peers {
    uint32_t count, cap;
    struct peer *list;
    const struct peers *before; /* while they are listed: whose claims were checked */
    bool has_no_memory;
};

struct cosigner {
    struct service *service;
    struct turns turns;
    struct cosigner_state state; /* with its lock */

    const char *self; /* this node's name */
    struct audit_key key;
    char log[65];
    bool is_registered, is_unread;
    struct cosigned_list signed_;
    bool is_changed; /* signed_ is not on the disk */
    struct peers peers;
    uint64_t interval_ms, refresh_ms, thin_ms; /* fleet.witness_interval; clock_ms() of the next */
    uint64_t anchored_lines, anchor_ms;
    uint64_t witnessed_ms;
    char said[200]; /* the last failure in the log, so that it is there once */
};

/* --- words -------------------------------------------------------------------------------------------------------- */

/* A failure that lasts is one line. */
static void say(struct cosigner *c, const struct error *err)
{
    if (err->code == -EHOSTDOWN || strncmp(c->said, err->text, sizeof c->said - 1) == 0) /* housekeeping tells that */
        return;
    (void)snprintf(c->said, sizeof c->said, "%s", err->text);
    service_log(c->service, LOG_ERROR, "the audits of the fleet: %s%s%s", err->text, err->remedy[0] ? "; " : "",
                err->remedy);
}

/* The audit, the channels and the log. False: the audit could not take it, so it is to be told again. */
static bool tell(struct cosigner *c, const char *condition, const char *text)
{
    struct service *v = c->service;
    struct arena a = { 0 };
    struct error err = { 0 };
    struct policy_set *set = service_policies(v);
    struct trail t = { .shared = &v->trail };
    int e = trail_open(&t, v->paths, &set->level[0].config, &a, &err);
    if (e == 0)
        e = trail_alert(&t, NULL, condition, text, &err);
    if (e == 0)
        alert_send(&t, &set->level[0].config, condition, NULL, text, &a);
    trail_close(&t);
    (void)policy_set_unref(set);
    arena_done(&a);
    service_log(v, LOG_ERROR, "%s", text);
    if (e < 0)
        say(c, &err);
    return e == 0;
}

/* --- who is there ------------------------------------------------------------------------------------------------- */

static const struct peer *find_peer(const struct peers *p, const char *node)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (str_eq(p->list[i].node, node))
            return &p->list[i];
    return NULL;
}

static struct peer *add_peer(struct peers *p)
{
    if (p->count == p->cap) {
        const uint32_t cap = p->cap ? 2 * p->cap : 8;
        struct peer *list = p->count < COSIGN_MAX_LOGS ? realloc(p->list, cap * sizeof *list) : NULL;
        p->has_no_memory |= !list;
        if (!list)
            return NULL;
        p->list = list;
        p->cap = cap;
    }
    return &p->list[p->count++];
}

/* A name that the log's key has not signed is no node's. */
static void take_peer(void *context, const struct chain *c)
{
    struct peers *p = context;
    const struct peer *known = find_peer(p->before, c->node);
    uint8_t log[32];
    if (c->cut_ms || strlen(c->log) != 64 || hex_read(c->log, log, 32) < 0 || strlen(c->node) > COSIGN_MAX_NAME)
        return;
    if (!(known && memcmp(known->log, log, 32) == 0) && !cosign_claim_is_good(log, c->node, c->claim))
        return;
    struct peer *n = add_peer(p);
    if (!n)
        return;
    *n = (struct peer){ .registered_ms = c->registered_ms,
                        .is_alive = c->silent_ms < ALIVE_MS,
                        .speaks = c->silent_ms < SPEAKS_MS };
    (void)snprintf(n->node, sizeof n->node, "%s", c->node);
    memcpy(n->log, log, 32);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static uint64_t score(const uint8_t log[static 32], const char *name)
{
    uint64_t of_log, of_name = UINT64_C(1469598103934665603); /* FNV-1a */
    memcpy(&of_log, log, sizeof of_log);
    for (; *name; name++)
        of_name = (of_name ^ (uint8_t)*name) * UINT64_C(1099511628211);
    return mix(of_log ^ mix(of_name));
}

bool cosigner_is_witness(const uint8_t log[static 32], const char *const *names, uint32_t count, const char *self,
                         uint32_t k)
{
    const uint64_t own = score(log, self);
    uint32_t before = 0;
    for (uint32_t i = 0; i < count && before < k; i++) {
        const uint64_t other = score(log, names[i]);
        before += other < own || (other == own && strcmp(names[i], self) < 0);
    }
    return before < k;
}

/* A log of two nodes: the later one is its node now, by another name. But where both speak, for long, two machines
 * have its key. */
static bool is_succeeded(struct peers *p, struct peer *n)
{
    const struct peer *before = find_peer(p->before, n->node);
    bool is_succeeded = false, has_twin = false;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct peer *o = &p->list[i];
        if (o == n || memcmp(o->log, n->log, 32) != 0)
            continue;
        is_succeeded |= o->registered_ms > n->registered_ms;
        has_twin |= o->speaks && n->speaks;
    }
    n->twins_ms = !has_twin ? 0 : before && before->twins_ms ? before->twins_ms : clock_ms();
    return is_succeeded;
}

/* names: room for as many as there are. */
static void choose(struct cosigner *c, struct peers *p, uint32_t k, const char **names)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t n = 0;
        for (uint32_t j = 0; j < p->count; j++)
            if (p->list[j].is_alive && memcmp(p->list[j].log, p->list[i].log, 32) != 0)
                names[n++] = p->list[j].node;
        p->list[i].is_witnessed = !is_succeeded(p, &p->list[i]) && p->list[i].is_alive &&
                                  !str_eq(p->list[i].node, c->self) &&
                                  cosigner_is_witness(p->list[i].log, names, n, c->self, k);
    }
}

static int register_self(struct cosigner *c, struct error *err)
{
    struct service *v = c->service;
    char claim[129];
    cosign_claim(&c->key, c->self, claim);
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = postgres_chain_add(v->store, c->log, claim, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    c->is_registered = e == 1;
    if (e != 0)
        return e < 0 ? e : 0;
    (void)err_set(err, -EKEYREJECTED, BLAME_POLICY, "AUDIT",
                  "this node's audit has another key than the one that is registered for node %s: no other node "
                  "witnesses it",
                  c->self);
    return err_remedy(err, "put audit.key back; if the node was set up anew: sandbox-agent fleet rekey %s", c->self);
}

static int refresh(struct cosigner *c, uint32_t k, struct error *err)
{
    struct service *v = c->service;
    struct peers now = { .before = &c->peers };
    int e = register_self(c, err);
    if (e < 0)
        return e;
    (void)pthread_mutex_lock(&v->store_lock);
    e = postgres_chains(v->store, take_peer, &now, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e == 0 && now.has_no_memory)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the other nodes, or more than %u", COSIGN_MAX_LOGS);
    const char **names = e < 0 ? NULL : calloc(now.count + 1, sizeof *names);
    if (e == 0 && !names)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the other nodes");
    if (e < 0) {
        free(now.list);
        return e;
    }
    choose(c, &now, k, names);
    free(names);
    free(c->peers.list);
    c->peers = now;
    c->peers.before = NULL;
    c->refresh_ms = clock_ms() + MIN_OF(10 * c->interval_ms, (uint64_t)REFRESH_MS);
    return 0;
}

/* --- our own checkpoint ------------------------------------------------------------------------------------------- */

struct claims {
    struct cosigner *cosigner;
    uint32_t count;
    uint64_t sizes[PROOFS];
};

static void take_claim(void *context, const struct cosignature *s)
{
    struct claims *w = context;
    struct cosigner *c = w->cosigner;
    const struct peer *p = find_peer(&c->peers, s->witness);
    struct checkpoint at;
    if (!p || str_eq(s->witness, c->self) || !cosign_is_good(s->note, s->note_size, c->key.public, p->log, &at, NULL))
        return;
    c->witnessed_ms = MAX_OF(c->witnessed_ms, s->made_ms);
    for (uint32_t i = 0; i < w->count; i++)
        if (w->sizes[i] == at.size)
            return;
    if (w->count < PROOFS)
        w->sizes[w->count++] = at.size;
}

static int make_proofs(const struct claims *w, int tree, uint64_t size, struct buf *ret, struct error *err)
{
    struct tree_proof proof;
    int e = 0;
    buf_init(ret, COSIGN_MAX_PROOFS);
    for (uint32_t i = 0; e == 0 && i < w->count; i++) {
        if (!w->sizes[i] || w->sizes[i] >= size)
            continue;
        e = tree_consistency(tree, w->sizes[i], size, &proof);
        if (e == 0)
            cosign_put_proof(ret, w->sizes[i], &proof);
    }
    if (e == 0 && ret->failed)
        e = -ENOMEM;
    return e < 0 ? err_set(err, e, BLAME_HOST, "AUDIT", "audit.tree: %s", strerror(-e)) : 0;
}

static uint64_t lines_of(struct service *v)
{
    (void)pthread_mutex_lock(&v->trail.lock);
    const uint64_t n = v->trail.audit.head.sequence;
    (void)pthread_mutex_unlock(&v->trail.lock);
    return n;
}

/* 1; 0: not now, the next turn puts one. */
static int put_anchor(struct cosigner *c, const struct checkpoint *at, const struct buf *note, const char *proofs,
                      struct error *err)
{
    struct service *v = c->service;
    const struct anchor a = {
        .log = c->log, .note = note->data, .note_size = note->size, .proofs = proofs, .size = at->size
    };
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = postgres_anchor_add(v->store, &a, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    return e;
}

static int anchor(struct cosigner *c, struct error *err)
{
    struct service *v = c->service;
    struct claims claims = { .cosigner = c };
    struct checkpoint at;
    struct arena arena = { 0 };
    struct buf note = { 0 }, proofs = { 0 };
    cleanup(closep) int tree = -1;
    const uint64_t lines = lines_of(v);
    if (lines == c->anchored_lines && clock_ms() < c->anchor_ms)
        return 0;
    (void)pthread_mutex_lock(&v->store_lock);
    int e = postgres_cosignatures(v->store, c->log, CLAIMED_MS, take_claim, &claims, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    if (e == 0)
        e = note_now(audit_dir(v, &arena), v->places.state_dir, &at, &note, &tree, err);
    if (e == 0)
        e = make_proofs(&claims, tree, at.size, &proofs, err);
    if (e == 0)
        e = put_anchor(c, &at, &note, proofs.data ? proofs.data : "", err);
    if (e > 0) {
        c->anchored_lines = lines;
        c->anchor_ms = clock_ms() + MIN_OF(30 * c->interval_ms, (uint64_t)ANCHOR_MS);
    }
    buf_done(&note);
    buf_done(&proofs);
    arena_done(&arena);
    return MIN_OF(e, 0);
}

/* --- the others' -------------------------------------------------------------------------------------------------- */

struct newest { /* copies, in the arena */
    uint32_t count;
    struct anchor *list;
    struct arena arena;
};

static void take_anchor(void *context, const struct anchor *a)
{
    struct newest *n = context;
    struct anchor *to = &n->list[n->count++];
    *to = *a;
    to->node = arena_copy(&n->arena, a->node);
    to->log = arena_copy(&n->arena, a->log);
    to->note = arena_copy_bytes(&n->arena, a->note, a->note_size);
    to->proofs = arena_copy(&n->arena, a->proofs);
}

static int read_anchors(struct cosigner *c, struct newest *ret, struct error *err)
{
    struct service *v = c->service;
    struct buf nodes, logs;
    char hex[65];
    uint32_t count = 0;
    buf_init(&nodes, COSIGN_MAX_LOGS * (COSIGN_MAX_NAME + 1));
    buf_init(&logs, COSIGN_MAX_LOGS * 65);
    for (uint32_t i = 0; i < c->peers.count; i++) {
        if (!c->peers.list[i].is_witnessed)
            continue;
        hex_write(c->peers.list[i].log, 32, hex);
        (void)buf_addf(&nodes, "%s%s", count ? " " : "", c->peers.list[i].node);
        (void)buf_addf(&logs, "%s%s", count++ ? " " : "", hex);
    }
    ret->list = arena_zero(&ret->arena, (count + 1) * sizeof *ret->list);
    int e = ret->list && !nodes.failed && !logs.failed ? 0 : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e == 0 && count) {
        (void)pthread_mutex_lock(&v->store_lock);
        e = postgres_anchors(v->store, nodes.data, logs.data, take_anchor, ret, err);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    if (e == 0 && ret->arena.failed)
        e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    buf_done(&nodes);
    buf_done(&logs);
    return e;
}

/* What this node or others signed of a log that it begins to witness: nothing shorter, and nothing else, is its
 * beginning. What the log's own key signs as a witness is nothing that another one has seen. */
struct adoption {
    const struct cosigner *cosigner;
    const struct peer *of;
    struct cosigned *entry;
};

static void adopt(void *context, const struct cosignature *s)
{
    struct adoption *a = context;
    const struct peer *witness = find_peer(&a->cosigner->peers, s->witness);
    struct checkpoint at;
    if (!witness || memcmp(witness->log, a->of->log, 32) == 0 || s->made_ms < a->of->registered_ms ||
        !cosign_is_good(s->note, s->note_size, a->of->log, witness->log, &at, NULL) ||
        (*a->entry->note && at.size <= a->entry->last.size))
        return;
    const char *first = s->note + at.text_size + 1, *end = s->note + s->note_size,
               *newline = memchr(first, '\n', (size_t)(end - first));
    struct note_key log;
    const struct cosign_offer o = { .note = s->note,
                                    .note_size = newline ? (size_t)(newline + 1 - s->note) : 0,
                                    .made_ms = s->made_ms };
    note_log_key(a->of->log, &log);
    if (newline && note_is_signed(o.note, o.note_size, &log, NULL)) /* without the witness' own line */
        (void)cosign_keep(a->entry, &o, &at);
}

static int begin_entry(struct cosigner *c, const struct peer *p, const char *log, struct cosigned *entry,
                       struct error *err)
{
    struct service *v = c->service;
    struct adoption a = { .cosigner = c, .of = p, .entry = entry };
    struct cosigned begun = { .registered_ms = p->registered_ms };
    memcpy(begun.log, p->log, sizeof begun.log);
    (void)snprintf(begun.name, sizeof begun.name, "%s", p->node);
    *entry = begun;
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = postgres_cosignatures(v->store, log, 0, adopt, &a, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    return e;
}

/* Another log under a name that was another's: an administrator has let it, and people shall know. */
static bool has_other_log(const struct cosigner *c, const struct peer *p)
{
    for (uint32_t i = 0; i < c->signed_.count; i++)
        if (str_eq(c->signed_.list[i].name, p->node) && memcmp(c->signed_.list[i].log, p->log, 32) != 0)
            return true;
    return false;
}

static bool tell_anew(struct cosigner *c, const struct peer *p, const char *what)
{
    char text[400];
    (void)snprintf(text, sizeof text, "the audit of node %s begins anew, %s: what it said before is not continued",
                   p->node, what);
    return tell(c, "node_audit_anew", text);
}

/* The log's entry; NULL: not now (err, or it has to be told first). */
static struct cosigned *entry_of(struct cosigner *c, const struct peer *p, const char *log, struct error *err)
{
    struct service *v = c->service;
    struct cosigned *entry = cosigned_find(&c->signed_, p->log);
    if (!entry) {
        struct cosigned begun;
        if (has_other_log(c, p) && !tell_anew(c, p, "with another key"))
            return NULL;
        if (begin_entry(c, p, log, &begun, err) < 0)
            return NULL;
        if (!(entry = cosigned_add(&c->signed_, p->node, p->log))) {
            (void)err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for another node's audit, or more than %u",
                          COSIGN_MAX_LOGS);
            return NULL;
        }
        *entry = begun;
        c->is_changed = true;
        return entry;
    }
    if (entry->registered_ms != p->registered_ms) {
        (void)pthread_mutex_lock(&v->store_lock);
        const int was = postgres_chain_was_retired(v->store, log, entry->registered_ms, err);
        (void)pthread_mutex_unlock(&v->store_lock);
        if (was < 0 ||
            (was && (!tell_anew(c, p, "by an administrator's word") || begin_entry(c, p, log, entry, err) < 0)))
            return NULL;
        entry->registered_ms = p->registered_ms; /* not retired: the node has another name, or the row was lost */
        c->is_changed = true;
    }
    if (!str_eq(entry->name, p->node)) {
        service_log(v, LOG_INFO, "the audit of node %s is that of node %s now", entry->name, p->node);
        (void)snprintf(entry->name, sizeof entry->name, "%s", p->node);
        c->is_changed = true;
    }
    return entry;
}

static void refuse(struct cosigner *c, struct cosigned *entry, enum cosign_verdict why, const struct checkpoint *now)
{
    char text[500], old_root[65], new_root[65];
    hex_write(entry->last.root.bytes, 32, old_root);
    hex_write(now->root.bytes, 32, new_root);
    (void)snprintf(text, sizeof text,
                   "the audit of node %s %s (signed here: %llu lines, root %.16s; offered: %llu lines, root %.16s): "
                   "this node does not sign it any more",
                   entry->name, cosign_words[why], (unsigned long long)entry->last.size, old_root,
                   (unsigned long long)now->size, new_root);
    if (tell(c, "node_audit_refused", text)) {
        entry->refused = (uint8_t)why;
        c->is_changed = true;
    }
}

/* True: what the entry remembers is to be signed, again or anew. */
static bool judge(struct cosigner *c, const struct anchor *a, struct cosigned *entry)
{
    const struct cosign_offer o = {
        .note = a->note, .note_size = a->note_size, .proofs = a->proofs, .made_ms = a->made_ms
    };
    struct checkpoint now;
    if (entry->refused)
        return false;
    const bool is_claimed = a->claimed_ms && a->claimed_size >= entry->last.size;
    if (a->made_ms <= entry->made_ms && is_claimed)
        return false; /* seen */
    const enum cosign_verdict verdict = cosign_judge(entry, entry->log, &o, &now);
    if (verdict > COSIGN_WAITING) {
        refuse(c, entry, verdict, &now);
        return false;
    }
    if (verdict == COSIGN_WAITING)
        return *entry->note && (!is_claimed || a->made_ms > a->claimed_ms + AGAIN_MS);
    if (a->made_ms <= entry->made_ms)
        return true;
    c->is_changed = true;
    return cosign_keep(entry, &o, &now);
}

static int publish(struct cosigner *c, const struct anchor *const *of, uint32_t count, struct error *err)
{
    struct service *v = c->service;
    struct cosignature *list = calloc(count, sizeof *list);
    struct buf *notes = calloc(count, sizeof *notes);
    int e = list && notes ? 0 : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    for (uint32_t i = 0; e == 0 && i < count; i++) {
        uint8_t log[32];
        const struct cosigned *entry = hex_read(of[i]->log, log, 32) == 0 ? cosigned_find(&c->signed_, log) : NULL;
        if (!entry)
            continue;
        cosign_sign(entry, &c->key, wall_clock_ms() / 1000, &notes[i]);
        list[i] = (struct cosignature){
            .log = of[i]->log, .note = notes[i].data, .note_size = notes[i].size, .size = entry->last.size
        };
        if (notes[i].failed)
            e = err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    }
    if (e == 0) {
        (void)pthread_mutex_lock(&v->store_lock);
        e = postgres_cosign(v->store, list, count, err);
        (void)pthread_mutex_unlock(&v->store_lock);
    }
    for (uint32_t i = 0; notes && i < count; i++)
        buf_done(&notes[i]);
    free(notes);
    free(list);
    return e;
}

static int witness(struct cosigner *c, struct error *err)
{
    struct newest newest = { 0 };
    int e = read_anchors(c, &newest, err);
    const struct anchor **to_sign = e == 0 ? arena_zero(&newest.arena, (newest.count + 1) * sizeof *to_sign) : NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; e == 0 && to_sign && i < newest.count; i++) {
        const struct peer *p = find_peer(&c->peers, newest.list[i].node);
        struct cosigned *entry = p ? entry_of(c, p, newest.list[i].log, err) : NULL;
        if (entry && p->twins_ms && clock_ms() - p->twins_ms > TWINS_MS && !entry->refused)
            refuse(c, entry, COSIGN_CLONED, &entry->last);
        if (entry && judge(c, &newest.list[i], entry))
            to_sign[count++] = &newest.list[i];
    }
    if (e == 0 && c->is_changed) { /* on our own disk before any other process sees a signature */
        e = cosigned_write(c->service->places.state_dir, &c->signed_, err);
        c->is_changed = e < 0;
    }
    if (e == 0 && count)
        e = publish(c, to_sign, count, err);
    arena_done(&newest.arena);
    return e < 0 ? e : err->code;
}

/* --- in turn ------------------------------------------------------------------------------------------------------ */

static void tell_state(struct cosigner *c)
{
    struct cosigner_state now = { .witnessed_ms = c->witnessed_ms };
    for (uint32_t i = 0; i < c->signed_.count; i++)
        now.refused += c->signed_.list[i].refused != 0;
    for (uint32_t i = 0; i < c->peers.count; i++) {
        const struct cosigned *entry = c->peers.list[i].is_witnessed ? cosigned_find(&c->signed_, c->peers.list[i].log)
                                                                     : NULL;
        if (entry && entry->made_ms && (!now.cosigned_ms || entry->made_ms < now.cosigned_ms))
            now.cosigned_ms = entry->made_ms;
    }
    (void)pthread_mutex_lock(&c->turns.lock);
    c->state = now;
    (void)pthread_mutex_unlock(&c->turns.lock);
}

static int thin(struct cosigner *c, struct error *err)
{
    struct service *v = c->service;
    if (clock_ms() < c->thin_ms)
        return 0;
    c->thin_ms = clock_ms() + THIN_MS;
    (void)pthread_mutex_lock(&v->store_lock);
    const int e = postgres_anchors_thin(v->store, err);
    (void)pthread_mutex_unlock(&v->store_lock);
    return e;
}

static int read_own(struct cosigner *c, struct error *err)
{
    if (!c->is_unread)
        return 0;
    int e = cosigned_read(c->service->places.state_dir, &c->signed_, err);
    c->is_unread = e < 0;
    return e;
}

static void take_turn(struct cosigner *c)
{
    struct error err = { 0 };
    const struct config *config = &c->service->first_policies->level[0].config;
    int e = read_own(c, &err);
    if (e == 0 && clock_ms() >= c->refresh_ms)
        e = refresh(c, config->fleet.witnesses, &err);
    if (e == 0 && c->is_registered)
        e = anchor(c, &err);
    if (e == 0 && c->is_registered)
        e = witness(c, &err);
    if (e == 0)
        e = thin(c, &err);
    if (e < 0)
        say(c, &err);
    else
        c->said[0] = '\0';
    tell_state(c);
}

static void *work(void *context)
{
    struct cosigner *c = context;
    uint64_t next_ms;
    do {
        next_ms = clock_ms() + c->interval_ms;
        take_turn(c);
    } while (turns_rest(&c->turns, MAX_OF(next_ms, clock_ms() + 1)));
    return NULL;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

static int load_key(struct cosigner *c, struct error *err)
{
    const char *state = c->service->places.state_dir;
    cleanup(closep) int dir = state ? open(state, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (dir < 0)
        return err_set(err, -ENOENT, BLAME_HOST, "AUDIT", "the state directory cannot be opened");
    int e = key_load(dir, state, &c->key, err);
    if (e == 0)
        hex_write(c->key.public, 32, c->log);
    return e;
}

int cosigner_start(struct service *v, struct cosigner **ret, struct error *err)
{
    *ret = NULL;
    if (!store_has_nodes(v->store) || !v->first_policies->level[0].config.fleet.witnesses)
        return 0;
    struct cosigner *c = calloc(1, sizeof *c);
    if (!c)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    c->service = v;
    c->is_unread = true;
    c->interval_ms = v->first_policies->level[0].config.fleet.witness_interval;
    c->thin_ms = clock_ms() + THIN_MS;
    c->self = postgres_node_name(v->store);
    int e = load_key(c, err);
    if (e == 0)
        e = turns_start(&c->turns, work, c, err);
    if (e < 0) {
        key_done(&c->key);
        free(c);
    } else {
        *ret = c;
    }
    return e;
}

struct cosigner *cosigner_stop(struct cosigner *c)
{
    if (!c)
        return NULL;
    turns_stop(&c->turns);
    key_done(&c->key);
    cosigned_done(&c->signed_);
    free(c->peers.list);
    free(c);
    return NULL;
}

bool cosigner_state(struct cosigner *c, struct cosigner_state *ret)
{
    if (!c)
        return false;
    (void)pthread_mutex_lock(&c->turns.lock);
    *ret = c->state;
    (void)pthread_mutex_unlock(&c->turns.lock);
    return true;
}
