#include "daemon/package_builds.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/wait.h"
#include "daemon/launcher.h"
#include "daemon/package_share.h"

#define THREAD_STACK (4 * MIB) /* PACKAGE_TREE_MAX_DEPTH directories below each other */

struct build {
    struct package_build_state state; /* under the lock */
    struct package_builds *home;
    char *text, *user;
    size_t size;
    struct policy_set *policies;
    struct launcher *launcher; /* whose connection the run has */
    int stop;                  /* eventfd; -1: it is over */
    struct build *next;        /* newest first */
};

struct package_builds {
    struct service *service;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    struct build *newest;
    unsigned live;
    bool is_stopped;
};

/* --- the audit ---------------------------------------------------------------------------------------------- */

int package_audit(struct service *v, const char *user, const char *action, const char *name, const char *owner,
                  const char *tree, const char *reason, struct error *err)
{
    struct arena a = { 0 };
    struct trail t = { .shared = &v->trail, .user = user };
    struct buf b;
    buf_init(&b, 4 * KIB);
    json_key(&b, "packages"), json_open(&b, '{');
    json_key(&b, "name"), json_put_string(&b, name);
    json_key(&b, "owner"), json_put_string(&b, owner);
    json_key(&b, "tree"), json_put_string(&b, tree);
    json_close(&b, '}');
    int e = trail_open(&t, v->paths, &v->first_policies->level[0].config, &a, err);
    if (e == 0)
        e = trail_act(&t, action, NULL, reason, b.failed ? NULL : b.data, err);
    trail_close(&t);
    buf_done(&b);
    arena_done(&a);
    return e;
}

/* --- the table ---------------------------------------------------------------------------------------------- */

/* What it needs while it lives. */
static void release(struct build *b)
{
    closep(&b->stop);
    b->policies = policy_set_unref(b->policies);
    free(b->text);
    free(b->user);
    b->text = b->user = NULL;
}

static struct build *destroy(struct build *b)
{
    release(b);
    free(b);
    return NULL;
}

static bool is_of(const struct build *b, const char *name, const char *owner)
{
    return str_eq(b->state.name, name) && (!owner || str_eq(b->state.owner, owner));
}

/* With the lock. */
static struct build *find(struct package_builds *l, const char *name, const char *owner)
{
    struct build *failed = NULL;
    for (struct build *b = l->newest; b; b = b->next) {
        if (is_of(b, name, owner) && !b->state.has_failed)
            return b;
        if (is_of(b, name, owner) && !failed)
            failed = b;
    }
    return failed;
}

/* With the lock. */
static void remove_build(struct package_builds *l, struct build *b)
{
    struct build **p = &l->newest;
    while (*p != b)
        p = &(*p)->next;
    *p = b->next;
    (void)destroy(b);
}

/* With the lock. */
static void drop_oldest(struct package_builds *l)
{
    struct build *oldest = NULL;
    unsigned failed = 0;
    for (struct build *b = l->newest; b; b = b->next)
        if (b->state.has_failed) {
            oldest = b;
            failed++;
        }
    if (failed > PACKAGE_FAILED_MAX)
        remove_build(l, oldest);
}

/* With the lock. */
static void add_failed(struct package_builds *l, struct build *b, const struct error *err)
{
    release(b);
    b->state.has_failed = true;
    b->state.ended_ms = wall_clock_ms();
    b->state.error = *err;
    drop_oldest(l);
}

static struct build *make(struct package_builds *l, const char *name, const char *owner, enum package_kind kind)
{
    struct build *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (struct build){ .home = l, .stop = -1, .state.kind = kind };
    (void)snprintf(b->state.name, sizeof b->state.name, "%s", name);
    (void)snprintf(b->state.owner, sizeof b->state.owner, "%s", owner);
    return b;
}

static void add(struct package_builds *l, struct build *b)
{
    b->next = l->newest;
    l->newest = b;
}

/* --- one build ---------------------------------------------------------------------------------------------- */

/* A build's run, by the service's launcher. */
static const struct exec_host builder = { .serves_others = true };

static int begin_run(void *context, struct exec *s, struct error *err)
{
    struct build *b = context;
    struct service *v = b->home->service;
    struct launcher *launcher;
    int e = service_launcher(v, BACKEND_NATIVE, &launcher, err);
    if (e == 0)
        e = launcher_connection(launcher, &s->client, err);
    if (e < 0)
        return e;
    b->launcher = launcher;
    s->host = &builder;
    s->tag = atomic_fetch_add(&v->next_tag, 2) + 2;
    s->stream.stop = b->stop;
    s->trail.shared = &v->trail;
    s->trail.user = b->user;
    s->judgement.key_id = b->state.owner + strlen("key:");
    return 0;
}

static void end_run(void *context, struct exec *s)
{
    struct build *b = context;
    if (b->launcher)
        launcher_return(b->launcher, &s->client, s->has_outcome);
    b->launcher = NULL;
    s->stream.stop = -1;
}

static bool begin_step(void *context, enum package_step step)
{
    struct build *b = context;
    (void)pthread_mutex_lock(&b->home->lock);
    b->state.step = step;
    const bool goes_on = !b->home->is_stopped;
    (void)pthread_mutex_unlock(&b->home->lock);
    return goes_on;
}

static struct package_order order_of(const struct build *b)
{
    return (struct package_order){ .name = b->state.name,
                                   .owner = b->state.owner,
                                   .kind = b->state.kind,
                                   .text = b->text,
                                   .size = b->size,
                                   .is_bounded = true,
                                   .max_stored = b->policies->level[0].config.endpoints.api.max_storage };
}

static struct package_host host_of(struct build *b)
{
    return (struct package_host){ .paths = b->home->service->paths,
                                  .config = &b->policies->level[0].config,
                                  .policies = b->policies,
                                  .begin = begin_run,
                                  .end = end_run,
                                  .step = begin_step,
                                  .context = b };
}

static void tell_end(const struct build *b, const struct package_built *built, const struct error *err)
{
    struct service *v = b->home->service;
    const struct package_build_state *s = &b->state;
    struct error ignored = { 0 };
    if (err->code)
        service_log(v, LOG_WARN, "packages %s of %s: %s", s->name, s->owner, err->text);
    else
        service_log(v, LOG_INFO, "packages %s of %s: %u packages, %s", s->name, s->owner, built->packages, built->tree);
    /* It is done: an audit that cannot be written is told by the next act. */
    (void)package_audit(v, b->user, err->code ? "package-failed" : "package-created", s->name, s->owner,
                        err->code ? NULL : built->tree, err->code ? err->text : "the package set was built", &ignored);
}

static void *thread(void *context)
{
    struct build *b = context;
    struct package_builds *l = b->home;
    struct error err = { 0 };
    struct package_built built;
    const struct package_order order = order_of(b);
    const struct package_host host = host_of(b);
    if (package_build(&host, &order, &built, &err) < 0 && !err.code)
        (void)err_set(&err, -EIO, BLAME_US, "PACKAGES", "the build failed without a reason");
    tell_end(b, &built, &err);
    if (!err.code)
        package_share_tell(l->service, b->state.name, b->state.owner);
    (void)pthread_mutex_lock(&l->lock);
    if (err.code)
        add_failed(l, b, &err);
    else
        remove_build(l, b);
    l->live--;
    (void)pthread_cond_broadcast(&l->ended);
    (void)pthread_mutex_unlock(&l->lock);
    return NULL;
}

static int start_thread(struct build *b)
{
    pthread_t id;
    pthread_attr_t attr;
    (void)pthread_attr_init(&attr);
    (void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    (void)pthread_attr_setstacksize(&attr, THREAD_STACK);
    int e = pthread_create(&id, &attr, thread, b);
    (void)pthread_attr_destroy(&attr);
    return -e;
}

/* --- begin -------------------------------------------------------------------------------------------------- */

static int no_memory(struct error *err)
{
    return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory, descriptors or threads for another build");
}

static struct build *make_ordered(struct package_builds *l, const struct package_order *o, const struct caller *caller)
{
    struct build *b = make(l, o->name, o->owner, o->kind);
    if (!b)
        return NULL;
    b->state.begun_ms = wall_clock_ms();
    b->policies = service_policies(l->service);
    b->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    b->size = o->size;
    b->text = malloc(o->size + 1);
    b->user = strdup(caller->name);
    if (b->stop < 0 || !b->text || !b->user)
        return destroy(b);
    memcpy(b->text, o->text, o->size);
    b->text[o->size] = 0;
    return b;
}

/* With the lock. */
static int check_place(const struct package_builds *l, const struct package_order *o, struct error *err)
{
    unsigned own = 0;
    if (l->is_stopped)
        return err_set(err, -ESHUTDOWN, BLAME_HOST, NULL, "the service is going down");
    for (const struct build *b = l->newest; b; b = b->next) {
        if (!b->state.has_failed && str_eq(b->state.name, o->name)) {
            (void)err_set(err, -EBUSY, BLAME_POLICY, "PACKAGES", "a build of %s is under way", o->name);
            return err_remedy(err, "wait until it has ended, or choose another name");
        }
        own += !b->state.has_failed && str_eq(b->state.owner, o->owner);
    }
    if (l->live < PACKAGE_BUILDS_MAX && own < PACKAGE_BUILDS_OF_KEY)
        return 0;
    (void)err_set(err, -EAGAIN, BLAME_POLICY, "PACKAGES", "%u builds are under way, %u of this key", l->live, own);
    return err_remedy(err, "come again when one has ended: there are %u at once, %u of one key", PACKAGE_BUILDS_MAX,
                      PACKAGE_BUILDS_OF_KEY);
}

static int take_place(struct package_builds *l, struct build *b, const struct package_order *o, struct error *err)
{
    (void)pthread_mutex_lock(&l->lock);
    int e = check_place(l, o, err);
    struct build *old = e == 0 ? find(l, o->name, o->owner) : NULL;
    if (old)
        remove_build(l, old);
    if (e == 0) {
        add(l, b);
        l->live++;
    }
    (void)pthread_mutex_unlock(&l->lock);
    return e;
}

static void leave_place(struct package_builds *l, struct build *b)
{
    (void)pthread_mutex_lock(&l->lock);
    remove_build(l, b);
    l->live--;
    (void)pthread_cond_broadcast(&l->ended);
    (void)pthread_mutex_unlock(&l->lock);
}

int package_builds_begin(struct package_builds *l, const struct package_order *o, const struct caller *caller,
                         struct error *err)
{
    struct build *b = make_ordered(l, o, caller);
    if (!b)
        return no_memory(err);
    const struct package_order order = order_of(b);
    const struct package_host host = host_of(b);
    int e = package_order_check(&host, &order, err);
    if (e == 0)
        e = take_place(l, b, o, err);
    if (e != 0) {
        (void)destroy(b);
        return e;
    }
    e = package_audit(l->service, caller->name, "package-requested", o->name, o->owner, NULL,
                      "a package set is to be built", err);
    if (e == 0 && start_thread(b) < 0)
        e = no_memory(err);
    if (e < 0)
        leave_place(l, b);
    return e;
}

/* --- asking ------------------------------------------------------------------------------------------------- */

bool package_builds_find(struct package_builds *l, const char *name, const char *owner, struct package_build_state *ret)
{
    (void)pthread_mutex_lock(&l->lock);
    const struct build *b = find(l, name, owner);
    if (b)
        *ret = b->state;
    (void)pthread_mutex_unlock(&l->lock);
    return b != NULL;
}

void package_builds_each(struct package_builds *l, const char *owner,
                         void (*each)(void *context, const struct package_build_state *s), void *context)
{
    (void)pthread_mutex_lock(&l->lock);
    for (const struct build *b = l->newest; b; b = b->next)
        if (!owner || str_eq(b->state.owner, owner))
            each(context, &b->state);
    (void)pthread_mutex_unlock(&l->lock);
}

bool package_builds_forget(struct package_builds *l, const char *name, const char *owner)
{
    (void)pthread_mutex_lock(&l->lock);
    struct build *b = find(l, name, owner);
    const bool is_there = b && b->state.has_failed;
    if (is_there)
        remove_build(l, b);
    (void)pthread_mutex_unlock(&l->lock);
    return is_there;
}

void package_builds_lost(struct package_builds *l, const char *name, const char *owner, const struct error *err)
{
    struct package_brief ignored = { 0 };
    struct build *b = make(l, name, owner, ignored.kind);
    if (!b)
        return;
    (void)pthread_mutex_lock(&l->lock);
    add(l, b);
    add_failed(l, b, err);
    (void)pthread_mutex_unlock(&l->lock);
}

/* --- life --------------------------------------------------------------------------------------------------- */

static void add_left(void *context, const char *name, const char *owner, enum package_kind kind)
{
    struct package_builds *l = context;
    struct error err;
    struct build *b = make(l, name, owner, kind);
    if (!b)
        return;
    (void)err_set(&err, -ECANCELED, BLAME_HOST, "PACKAGES", "the service ended while the set was being built");
    (void)err_remedy(&err, "ask for it again");
    add(l, b);
    add_failed(l, b, &err);
}

struct package_builds *package_builds_new(struct service *v)
{
    struct package_builds *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    l->service = v;
    (void)pthread_mutex_init(&l->lock, NULL);
    wait_init(&l->ended);
    package_builds_left(&v->first_policies->level[0].config, v->paths, add_left, l);
    return l;
}

void package_builds_stop(struct package_builds *l)
{
    (void)pthread_mutex_lock(&l->lock);
    l->is_stopped = true;
    for (const struct build *b = l->newest; b; b = b->next)
        if (b->stop >= 0)
            (void)eventfd_write(b->stop, 1);
    (void)pthread_mutex_unlock(&l->lock);
}

bool package_builds_wait(struct package_builds *l, uint64_t max_ms)
{
    const uint64_t until_ms = clock_ms() + max_ms;
    (void)pthread_mutex_lock(&l->lock);
    while (l->live && clock_ms() < until_ms)
        (void)wait_until(&l->ended, &l->lock, until_ms);
    const bool have_ended = !l->live;
    (void)pthread_mutex_unlock(&l->lock);
    return have_ended;
}

struct package_builds *package_builds_free(struct package_builds *l)
{
    if (!l)
        return NULL;
    while (l->newest) {
        struct build *next = l->newest->next;
        (void)destroy(l->newest);
        l->newest = next;
    }
    (void)pthread_mutex_destroy(&l->lock);
    (void)pthread_cond_destroy(&l->ended);
    free(l);
    return NULL;
}
