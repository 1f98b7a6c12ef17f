#include "daemon/contexts.h"

#include <stdio.h>
#include <stdlib.h>

#include "plan/lang.h"

struct contexts {
    pthread_mutex_t lock;
    struct context_entry *first;
    unsigned count;
    pthread_mutex_t files;
    unsigned checkpoint_count;
    uint64_t last_checkpoint;
    struct context_checkpoints workspace;
    bool is_workspace_held;
    uint64_t owed[STEWARD_CHECKPOINTS_MAX];
    unsigned owed_count;
};

struct contexts *contexts_new(void)
{
    struct contexts *l = calloc(1, sizeof *l);
    if (l)
        (void)pthread_mutex_init(&l->lock, NULL), (void)pthread_mutex_init(&l->files, NULL);
    return l;
}

static void destroy(struct context_entry *e)
{
    e->live = context_free(e->live);
    scan_resident_end(&e->scanner);
    e->execution = execution_unref(e->execution);
    buf_done(&e->text);
    free(e);
}

void contexts_clear(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    struct context_entry *e = l->first;
    l->first = NULL;
    l->count = 0;
    (void)pthread_mutex_unlock(&l->lock);
    for (struct context_entry *next; e; e = next) {
        next = e->next;
        (void)context_entry_unref(e);
    }
}

struct contexts *contexts_free(struct contexts *l)
{
    if (!l)
        return NULL;
    contexts_clear(l);
    (void)pthread_mutex_destroy(&l->lock);
    (void)pthread_mutex_destroy(&l->files);
    free(l);
    return NULL;
}

struct context_entry *context_entry_ref(struct context_entry *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->refs++;
    (void)pthread_mutex_unlock(&e->home->lock);
    return e;
}

struct context_entry *context_entry_unref(struct context_entry *e)
{
    if (!e)
        return NULL;
    (void)pthread_mutex_lock(&e->home->lock);
    const bool is_last = --e->refs == 0;
    (void)pthread_mutex_unlock(&e->home->lock);
    if (is_last)
        destroy(e);
    return NULL;
}

/* With the lock: where it hangs; the list's end where there is none. */
static struct context_entry **place_of(struct contexts *l, const char *id)
{
    struct context_entry **p = &l->first;
    while (*p && !str_eq((*p)->id, id))
        p = &(*p)->next;
    return p;
}

/* With the lock. -> the one that was there, whose reference is the caller's. */
static struct context_entry *take_out(struct contexts *l, struct context_entry **place)
{
    struct context_entry *e = *place;
    if (!e)
        return NULL;
    *place = e->next;
    l->count--;
    return e;
}

int contexts_add(struct contexts *l, struct session *s, const char *id, enum language language,
                 struct context_entry **ret, struct error *err)
{
    struct context_entry *e = calloc(1, sizeof *e), *old;
    if (!e || !(e->live = context_new(s))) {
        free(e);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory or no descriptors for another context");
    }
    e->home = l;
    e->language = language;
    e->scanner = SCAN_RESIDENT_NONE;
    e->refs = 2; /* the table's and the caller's */
    (void)snprintf(e->id, sizeof e->id, "%s", id);
    buf_init(&e->text, REQUEST_MAX_CODE_BYTES);
    (void)pthread_mutex_lock(&l->lock);
    struct context_entry **place = place_of(l, id);
    const bool is_taken = *place && !(*place)->has_ended; /* two were to restart it */
    old = is_taken ? NULL : take_out(l, place);
    const bool has_room = !is_taken && l->count < CONTEXTS_MAX;
    if (has_room) {
        e->next = l->first;
        l->first = e;
        l->count++;
    }
    (void)pthread_mutex_unlock(&l->lock);
    (void)context_entry_unref(old);
    if (has_room) {
        *ret = e;
        return 0;
    }
    destroy(e);
    if (is_taken)
        return err_set(err, -ESHUTDOWN, BLAME_CALLER, NULL, "the context is being restarted by another request");
    (void)err_set(err, -EAGAIN, BLAME_POLICY, NULL, "this session has %u contexts", CONTEXTS_MAX);
    return err_remedy(err, "delete one of them");
}

struct context_entry *contexts_find(struct contexts *l, const char *id)
{
    (void)pthread_mutex_lock(&l->lock);
    struct context_entry *e = *place_of(l, id);
    if (e)
        e->refs++;
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

void contexts_remove(struct contexts *l, const struct context_entry *e)
{
    (void)pthread_mutex_lock(&l->lock);
    struct context_entry **place = place_of(l, e->id); /* another one may have its id by now */
    struct context_entry *found = *place == e ? take_out(l, place) : NULL;
    (void)pthread_mutex_unlock(&l->lock);
    (void)context_entry_unref(found);
}

/* --- checkpoints ------------------------------------------------------------------------------------------------ */

void contexts_lock_files(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->files);
}

void contexts_unlock_files(struct contexts *l)
{
    (void)pthread_mutex_unlock(&l->files);
}

struct context_checkpoints *contexts_hold_workspace(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    struct context_checkpoints *k = l->is_workspace_held ? NULL : &l->workspace;
    l->is_workspace_held = true;
    (void)pthread_mutex_unlock(&l->lock);
    return k;
}

void contexts_release_workspace(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->is_workspace_held = false;
    (void)pthread_mutex_unlock(&l->lock);
}

bool contexts_take_checkpoint(struct contexts *l, uint64_t *ret_number)
{
    (void)pthread_mutex_lock(&l->lock);
    const bool has_room = l->checkpoint_count < STEWARD_CHECKPOINTS_MAX;
    l->checkpoint_count += has_room;
    *ret_number = has_room ? ++l->last_checkpoint : 0;
    (void)pthread_mutex_unlock(&l->lock);
    return has_room;
}

void contexts_give_checkpoint(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->checkpoint_count--;
    (void)pthread_mutex_unlock(&l->lock);
}

void contexts_owe_checkpoint(struct contexts *l, uint64_t number)
{
    (void)pthread_mutex_lock(&l->lock);
    assert(l->owed_count < ARRAY_LEN(l->owed)); /* each has a place */
    l->owed[l->owed_count++] = number;
    (void)pthread_mutex_unlock(&l->lock);
}

unsigned contexts_owed_checkpoints(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    const unsigned count = l->owed_count;
    (void)pthread_mutex_unlock(&l->lock);
    return count;
}

uint64_t contexts_take_owed(struct contexts *l)
{
    (void)pthread_mutex_lock(&l->lock);
    const uint64_t number = l->owed_count ? l->owed[0] : 0;
    l->owed_count -= l->owed_count > 0;
    memmove(&l->owed[0], &l->owed[1], l->owed_count * sizeof l->owed[0]);
    (void)pthread_mutex_unlock(&l->lock);
    return number;
}

/* --- its kernel ------------------------------------------------------------------------------------------------ */

void context_entry_begun(struct context_entry *e, struct execution *x)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->execution = execution_ref(x);
    (void)pthread_mutex_unlock(&e->home->lock);
}

void context_entry_over(struct context_entry *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    struct execution *x = e->execution;
    e->execution = NULL;
    e->has_ended = true;
    (void)pthread_mutex_unlock(&e->home->lock);
    (void)execution_unref(x);
}

struct execution *context_entry_end(struct context_entry *e)
{
    (void)pthread_mutex_lock(&e->home->lock);
    struct execution *x = e->execution ? execution_ref(e->execution) : NULL;
    (void)pthread_mutex_unlock(&e->home->lock);
    if (x)
        (void)execution_stop(x);
    return x;
}

/* --- its cells --------------------------------------------------------------------------------------------------- */

#define CELL_LINE "%s --- cell %llu ---\n"

bool context_is_for(enum language language)
{
    return lang_driver(language)->kernel_arguments != NULL;
}

const char *context_comment(enum language language)
{
    return language == LANG_NODE ? "//" : "#";
}

const char *context_entry_judged(struct context_entry *e, const char *code, size_t size, struct arena *a,
                                 size_t *ret_size)
{
    const char *ret = NULL;
    struct buf b;
    buf_init(&b, REQUEST_MAX_CODE_BYTES);
    (void)pthread_mutex_lock(&e->home->lock);
    const bool is_full = e->is_full;
    (void)buf_add(&b, e->text.data ? e->text.data : "", e->text.size);
    if (e->text.size)
        (void)buf_addf(&b, CELL_LINE, context_comment(e->language), (unsigned long long)e->cells + 1);
    (void)pthread_mutex_unlock(&e->home->lock);
    (void)buf_add(&b, code, size);
    if (!b.failed && !is_full)
        ret = arena_copy_bytes(a, b.data, b.size);
    *ret_size = b.size;
    buf_done(&b);
    return ret;
}

void context_entry_ran(struct context_entry *e, const char *code, size_t size, bool is_read)
{
    (void)pthread_mutex_lock(&e->home->lock);
    e->cells++;
    e->is_full |= is_read && e->text.size + size + 64 >= REQUEST_MAX_CODE_BYTES;
    if (is_read && !e->is_full) {
        if (e->text.size)
            (void)buf_addf(&e->text, CELL_LINE, context_comment(e->language), (unsigned long long)e->cells);
        (void)buf_add(&e->text, code, size);
        (void)buf_addc(&e->text, '\n');
    }
    (void)pthread_mutex_unlock(&e->home->lock);
}
