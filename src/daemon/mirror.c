#include "daemon/mirror.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/manifest.h"
#include "base/clock.h"
#include "base/dirs.h"
#include "base/wait.h"
#include "daemon/content_bundle.h"
#include "daemon/package_share.h"
#include "daemon/run_api.h"
#include "daemon/service.h"
#include "daemon/snapshots.h"

#define WORKERS      4u
#define BATCH        256u /* names that one look at waiting/ takes */
#define AGAIN_MIN_MS 200u
#define AGAIN_MAX_MS 30000u
#define IDLE_MS      30000u
#define HOUR_MS      (3600 * UINT64_C(1000))
#define DAY_MS       (24 * HOUR_MS)
#define NAME_SIZE    256u
#define SEPARATOR    ":"

struct mirror {
    struct service *service;
    struct content *content;
    int waiting, doing; /* directories */
    pthread_mutex_t lock;
    pthread_cond_t wake;            /* there is something, or the end */
    pthread_mutex_t snapshots_lock; /* one at a time: what is of no use is known only when no other is under way */
    pthread_t threads[WORKERS];
    unsigned count;
    _Atomic bool is_ending;
    uint64_t again_ms, pause_ms, swept_ms; /* when the store is asked again after a failure, clock_ms(); 0: it takes */
    _Atomic uint64_t waits, written, failed, dropped;
    char names[BATCH][NAME_SIZE]; /* of waiting/, to be taken by any worker */
    unsigned name_count;
};

/* --- what waits ----------------------------------------------------------------------------------------------- */

static void say_dropped(struct mirror *m, const char *name, const char *why)
{
    m->dropped++;
    service_log(m->service, LOG_ERROR, "content.place: %s stays on this node alone: %s", name, why);
}

static void add(struct mirror *m, const char *name, bool is_bounded)
{
    (void)pthread_mutex_lock(&m->lock);
    const bool is_full = is_bounded && m->waits >= MIRROR_MAX;
    cleanup(closep) int fd = is_full ? -1 : openat(m->waiting, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const int e = fd < 0 && !is_full ? errno : 0;
    m->waits += fd >= 0;
    (void)pthread_cond_signal(&m->wake);
    (void)pthread_mutex_unlock(&m->lock);
    if (is_full || (e && e != EEXIST))
        say_dropped(m, name, is_full ? "too much waits already" : strerror(e));
}

void mirror_execution(struct mirror *m, const char *id, uint64_t accepted_ms)
{
    char name[NAME_SIZE], day[CONTENT_DAY_SIZE];
    if (!m)
        return;
    content_day(accepted_ms, day);
    (void)snprintf(name, sizeof name, "artifacts" SEPARATOR "%s" SEPARATOR "%s", day, id);
    add(m, name, true);
}

void mirror_snapshot(void *mirror, const char *owner, const char *id)
{
    char name[NAME_SIZE];
    struct mirror *m = mirror;
    if (!m)
        return;
    (void)snprintf(name, sizeof name, "snapshot" SEPARATOR "%s" SEPARATOR "%s", owner, id);
    add(m, name, true);
}

static void package_name(const char *name, const char *owner, char ret[static NAME_SIZE])
{
    (void)snprintf(ret, NAME_SIZE, "package" SEPARATOR "%s" SEPARATOR "%s", name, owner);
}

void mirror_package(struct mirror *m, const char *name, const char *owner)
{
    char word[NAME_SIZE];
    package_name(name, owner, word);
    if (m)
        add(m, word, false);
}

bool mirror_has_package(struct mirror *m, const char *name, const char *owner)
{
    char word[NAME_SIZE];
    if (!m)
        return false;
    package_name(name, owner, word);
    (void)pthread_mutex_lock(&m->lock);
    const bool is_there = faccessat(m->waiting, word, F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
                          faccessat(m->doing, word, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
    (void)pthread_mutex_unlock(&m->lock);
    return is_there;
}

/* With the lock: up to BATCH names. */
static void look(struct mirror *m)
{
    const int copy = openat(m->waiting, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    for (const struct dirent *x; d && m->name_count < BATCH && (x = readdir(d));)
        if (x->d_name[0] != '.' && strlen(x->d_name) < NAME_SIZE)
            (void)snprintf(m->names[m->name_count++], NAME_SIZE, "%s", x->d_name);
    if (d)
        (void)closedir(d);
    else if (copy >= 0)
        (void)close(copy);
}

/* --- artifacts ------------------------------------------------------------------------------------------------ */

static int bring_artifacts(struct mirror *m, const char *day, const char *id, struct error *err)
{
    struct buf manifest = { 0 };
    int dir = -1;
    int e = manifest_open(m->service->places.artifacts_dir, id, &dir, &manifest, err);
    if (e == 0) {
        run_artifacts_sign(m->service, &manifest);
        e = content_bundle_write(m->content, day, id, dir, &manifest, err);
    }
    closep(&dir);
    buf_done(&manifest);
    if (e == -ENOENT && err->blame == BLAME_CALLER)
        (void)err_wrap(err, "retention was faster");
    return e;
}

/* --- too old -------------------------------------------------------------------------------------------------- */

struct old {
    char before[CONTENT_DAY_SIZE];
    char keys[BATCH][CONTENT_KEY_MAX + 1];
    unsigned count;
};

static bool add_old(void *context, const char *key)
{
    struct old *o = context;
    const char *day = strchr(key, '/') + 1;
    if (strncmp(day, o->before, CONTENT_DAY_SIZE - 1) >= 0)
        return false; /* in the order of their days */
    (void)snprintf(o->keys[o->count++], sizeof o->keys[0], "%s", key);
    return o->count < BATCH;
}

/* By any node: of whichever node's executions. */
static int sweep_below(struct mirror *m, const char *prefix, struct old *o, struct error *err)
{
    int e;
    do {
        o->count = 0;
        e = content_each(m->content, prefix, add_old, o, err);
        for (unsigned i = 0; e == 0 && i < o->count && !m->is_ending; i++)
            e = content_remove(m->content, o->keys[i], err);
    } while (e == 0 && o->count == BATCH && !m->is_ending);
    return e;
}

static int sweep(struct mirror *m, struct error *err)
{
    struct policy_set *set = service_policies(m->service);
    const uint64_t kept_ms = (set->level[0].config.security.store_artifacts.retention_days + 1) * DAY_MS;
    (void)policy_set_unref(set);
    struct old *o = malloc(sizeof *o);
    if (!o)
        return err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "no memory");
    content_day(wall_clock_ms() - MIN_OF(kept_ms, wall_clock_ms()), o->before);
    int e = sweep_below(m, "artifacts/", o, err);
    if (e == 0)
        e = sweep_below(m, "files/", o, err);
    free(o);
    return e < 0 ? e : package_share_sweep(m->service, err);
}

/* --- one name ------------------------------------------------------------------------------------------------- */

static int bring(struct mirror *m, const char *name, struct error *err)
{
    char copy[NAME_SIZE], *words[3] = { copy, NULL, NULL };
    (void)snprintf(copy, sizeof copy, "%s", name);
    for (size_t i = 1; i < 3; i++) {
        char *end = words[i - 1] ? strchr(words[i - 1], *SEPARATOR) : NULL;
        words[i] = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
    }
    if (words[2] && str_eq(words[0], "artifacts"))
        return bring_artifacts(m, words[1], words[2], err);
    if (words[2] && str_eq(words[0], "snapshot")) {
        (void)pthread_mutex_lock(&m->snapshots_lock);
        const int e = snapshots_bring(m->service->snapshots, words[1], words[2], err);
        (void)pthread_mutex_unlock(&m->snapshots_lock);
        return e;
    }
    if (words[2] && str_eq(words[0], "package"))
        return package_share_bring(m->service, words[1], words[2], err);
    return err_set(err, -EINVAL, BLAME_US, "CONTENT", "no name of ours");
}

/* With the lock. What was not done waits again; a place that is away is told once, and once that it is there again. */
static void settle(struct mirror *m, const char *name, int e, const struct error *err)
{
    const bool is_away = e < 0 && err->blame == BLAME_HOST;
    const bool waits_again = faccessat(m->waiting, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0; /* it has changed meanwhile */
    if (is_away && !waits_again)
        (void)renameat(m->doing, name, m->waiting, name);
    else if (unlinkat(m->doing, name, 0) == 0)
        m->waits--;
    if (e == 0)
        m->written++;
    m->failed += is_away;
    if (is_away && !m->pause_ms)
        service_log(m->service, LOG_ERROR, "content.place: %s waits, and is tried again: %s", name, err->text);
    else if (e == 0 && m->pause_ms)
        service_log(m->service, LOG_INFO, "content.place takes what waits again");
    else if (e < 0 && !is_away && err->blame != BLAME_CALLER)
        say_dropped(m, name, err->text);
    if (is_away && clock_ms() >= m->again_ms) { /* once for those that were under way together */
        m->pause_ms = MIN_OF(MAX_OF(2 * m->pause_ms, (uint64_t)AGAIN_MIN_MS), (uint64_t)AGAIN_MAX_MS);
        m->again_ms = clock_ms() + m->pause_ms;
    } else if (e == 0) {
        m->pause_ms = m->again_ms = 0;
    }
    if (is_away)
        m->name_count = 0; /* the others wait as well: the next look begins anew */
    else if (waits_again)
        (void)pthread_cond_signal(&m->wake);
}

/* With the lock: the next name, which is now in doing/. False: there is none now. One that has changed again while a
 * worker is at it waits until that has settled it. */
static bool take(struct mirror *m, char ret[static NAME_SIZE])
{
    bool has_looked = false;
    while (m->name_count || !has_looked) {
        if (!m->name_count) {
            has_looked = true;
            (void)look(m);
            continue;
        }
        memcpy(ret, m->names[--m->name_count], NAME_SIZE);
        if (faccessat(m->doing, ret, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && renameat(m->waiting, ret, m->doing, ret) == 0)
            return true;
    }
    return false;
}

static bool is_due(struct mirror *m)
{
    const uint64_t now_ms = clock_ms();
    const bool is_due = m->swept_ms <= now_ms && !m->pause_ms && !m->is_ending;
    if (is_due)
        m->swept_ms = now_ms + HOUR_MS;
    return is_due;
}

static void *work(void *context)
{
    struct mirror *m = context;
    (void)pthread_mutex_lock(&m->lock);
    while (!m->is_ending) {
        struct error err = { 0 };
        char name[NAME_SIZE];
        const bool is_sweep = is_due(m), is_paused = clock_ms() < m->again_ms;
        if (!is_sweep && (is_paused || !take(m, name))) {
            (void)wait_until(&m->wake, &m->lock, is_paused ? m->again_ms : clock_ms() + IDLE_MS);
            continue;
        }
        (void)pthread_mutex_unlock(&m->lock);
        const int e = is_sweep ? sweep(m, &err) : bring(m, name, &err);
        (void)pthread_mutex_lock(&m->lock);
        if (!is_sweep)
            settle(m, name, e, &err);
        else if (e < 0)
            service_log(m->service, LOG_WARN, "content.place: what is too old was not removed: %s", err.text);
    }
    (void)pthread_mutex_unlock(&m->lock);
    return NULL;
}

/* --- life ----------------------------------------------------------------------------------------------------- */

/* What a service had under way that was killed waits again. -> how many wait. */
static uint64_t look_back(struct mirror *m)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < 2; i++) {
        const int copy = openat(i ? m->waiting : m->doing, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *d = copy < 0 ? NULL : fdopendir(copy);
        for (const struct dirent *x; d && (x = readdir(d));) {
            if (x->d_name[0] == '.')
                continue;
            if (i == 0)
                (void)renameat(m->doing, x->d_name, m->waiting, x->d_name);
            else
                count++;
        }
        if (d)
            (void)closedir(d);
    }
    return count;
}

static int open_dir(struct mirror *m, const char *name, int *ret, struct error *err)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/content/%s", m->service->places.state_dir, name);
    const int e = make_dirs(path, 0700);
    *ret = e < 0 ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return *ret >= 0
               ? 0
               : err_set(err, e < 0 ? e : -errno, BLAME_HOST, "CONTENT", "%s: %s", path, strerror(e < 0 ? -e : errno));
}

static void release(struct mirror *m)
{
    closep(&m->waiting);
    closep(&m->doing);
    (void)pthread_cond_destroy(&m->wake);
    (void)pthread_mutex_destroy(&m->lock);
    (void)pthread_mutex_destroy(&m->snapshots_lock);
    free(m);
}

int mirror_start(struct service *v, struct mirror **ret, struct error *err)
{
    *ret = NULL;
    if (!v->content)
        return 0;
    if (!v->places.state_dir)
        return err_set(err, -ENOENT, BLAME_CALLER, "CONTENT", "content.place needs a state directory");
    struct mirror *m = calloc(1, sizeof *m);
    if (!m)
        return err_set(err, -ENOMEM, BLAME_HOST, "CONTENT", "no memory");
    m->service = v;
    m->content = v->content;
    m->waiting = m->doing = -1;
    cleanup(closep) int brought = -1;
    (void)pthread_mutex_init(&m->lock, NULL);
    (void)pthread_mutex_init(&m->snapshots_lock, NULL);
    wait_init(&m->wake);
    int e = open_dir(m, "waiting", &m->waiting, err);
    if (e == 0)
        e = open_dir(m, "doing", &m->doing, err);
    if (e == 0)
        e = open_dir(m, "brought", &brought, err); /* package_share.c */
    if (e == 0) {
        m->waits = look_back(m);
        snapshots_share(v->snapshots, v->content, mirror_snapshot, m);
        snapshots_tell_all(v->snapshots);
    }
    for (; e == 0 && m->count < WORKERS; m->count++)
        if ((e = -pthread_create(&m->threads[m->count], NULL, work, m)) < 0) {
            (void)err_set(err, e, BLAME_HOST, "CONTENT", "start a thread: %s", strerror(-e));
            break;
        }
    if (e < 0)
        (void)mirror_stop(m, 0);
    else
        *ret = m;
    if (e == 0)
        package_share_tell_all(v);
    return e;
}

struct mirror *mirror_stop(struct mirror *m, uint64_t max_ms)
{
    const struct timespec step = { .tv_nsec = 20 * 1000000L };
    if (!m)
        return NULL;
    for (const uint64_t until_ms = clock_ms() + max_ms; m->waits && !m->pause_ms && clock_ms() < until_ms;)
        (void)nanosleep(&step, NULL);
    content_stop(m->content);
    (void)pthread_mutex_lock(&m->lock);
    m->is_ending = true;
    (void)pthread_cond_broadcast(&m->wake);
    (void)pthread_mutex_unlock(&m->lock);
    for (unsigned i = 0; i < m->count; i++)
        (void)pthread_join(m->threads[i], NULL);
    snapshots_share(m->service->snapshots, NULL, NULL, NULL);
    release(m);
    return NULL;
}

bool mirror_state(struct mirror *m, struct mirror_state *ret)
{
    if (!m)
        return false;
    *ret = (struct mirror_state){
        .waiting = m->waits, .written = m->written, .failed = m->failed, .dropped = m->dropped
    };
    return true;
}
