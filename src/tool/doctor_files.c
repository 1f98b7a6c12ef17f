/* doctor_files.c - the directories that runs write to (contract: Files). Nothing is created. */
#include "tool/doctor.h"

#include "base/clock.h"
#include "base/retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

enum { LOG_DIR, STATE_DIR, CACHE_DIR, TEMP_DIR };

static const struct {
    const char *system; /* for root; the log's also for others who may write it */
    const char *variable, *below_home, *tail;
    const char *setting; /* what says it otherwise */
} places[] = {
    [LOG_DIR] = { "/var/log/sandbox", "XDG_STATE_HOME", ".local/state", "sandbox-agent/log",
                  "sandbox.paths.log_dir in the configuration" },
    [STATE_DIR] = { "/var/lib/sandbox-agent", "XDG_STATE_HOME", ".local/state", "sandbox-agent",
                    "sandbox.paths.state_dir in the configuration" },
    [CACHE_DIR] = { "/var/cache/sandbox-agent", "XDG_CACHE_HOME", ".cache", "sandbox-agent", "XDG_CACHE_HOME" },
    [TEMP_DIR] = { .variable = "TMPDIR", .setting = "TMPDIR" },
};

struct directory {
    char path[4096]; /* "": nowhere */
    bool exists;
    int error;           /* why it cannot be written or made; 0: it can */
    char ancestor[4096]; /* the nearest one that exists */
};

static void directory_look(struct directory *dir)
{
    if (!dir->path[0]) {
        dir->error = ENOENT;
        return;
    }
    dir->exists = access(dir->path, F_OK) == 0;
    (void)snprintf(dir->ancestor, sizeof dir->ancestor, "%s", dir->path);
    while (access(dir->ancestor, F_OK) < 0 && errno == ENOENT) {
        char *slash = strrchr(dir->ancestor, '/');
        if (!slash)
            break;
        slash[slash == dir->ancestor] = '\0'; /* «/a» becomes «/» */
    }
    dir->error = faccessat(AT_FDCWD, dir->ancestor, W_OK | X_OK, AT_EACCESS) < 0 ? errno : 0;
}

/* Empty when there is nowhere. */
static void personal_path(int which, char *ret, size_t size)
{
    const char *base = getenv(places[which].variable), *home = getenv("HOME");
    ret[0] = '\0';
    if (base && base[0] == '/') /* the XDG specification: relative ones are to be ignored */
        (void)snprintf(ret, size, "%s/%s", base, places[which].tail);
    else if (home && home[0] == '/')
        (void)snprintf(ret, size, "%s/%s/%s", home, places[which].below_home, places[which].tail);
}

/* As run/paths.c has it. Log and state go where the configuration says, else the log to the system's place when that
 * can be written; root's state and cache go to the system's place unless it is told otherwise. */
static void directory_choose(const struct doctor *d, int which, struct directory *ret)
{
    const char *tmp = getenv("TMPDIR");
    const char *wish = which == LOG_DIR ? d->wishes.log_dir : which == STATE_DIR ? d->wishes.state_dir : NULL;
    bool is_system = which == LOG_DIR || (which != TEMP_DIR && d->is_root && !getenv(places[which].variable));
    *ret = (struct directory){ 0 };
    if (which == TEMP_DIR)
        (void)snprintf(ret->path, sizeof ret->path, "%s", tmp && tmp[0] == '/' ? tmp : "/tmp");
    else if (wish)
        (void)snprintf(ret->path, sizeof ret->path, "%s", wish);
    else if (is_system)
        (void)doctor_path(d, ret->path, "%s", places[which].system);
    else
        personal_path(which, ret->path, sizeof ret->path);
    directory_look(ret);
    if (which == LOG_DIR && !d->wishes.log_dir && ret->error) {
        personal_path(which, ret->path, sizeof ret->path);
        directory_look(ret);
    }
}

static void directory_space(struct check *c, const struct directory *dir)
{
    struct statvfs fs;
    if (statvfs(dir->ancestor, &fs) < 0)
        return;
    uint64_t free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    fact_number(c, "free_bytes", (int64_t)free_bytes);
    bool is_short = free_bytes < 64 * MIB || (fs.f_files > 0 && fs.f_favail < 1000);
    if (!is_short)
        return;
    check_add(c, CHECK_WARN, "only %llu MiB and %llu files are free there", (unsigned long long)(free_bytes / MIB),
              (unsigned long long)fs.f_favail);
    check_remedy(c, "make room: du -xh %s | sort -h | tail", dir->ancestor);
}

void probe_directory(struct doctor *d, struct check *c)
{
    cleanup(freep) struct directory *dir = malloc(sizeof *dir);
    if (!dir) {
        check_say(c, CHECK_FAIL, "out of memory");
        return;
    }
    directory_choose(d, c->probe->arg, dir);
    fact_text(c, "path", dir->path[0] ? dir->path : NULL);
    fact_bool(c, "exists", dir->exists);
    fact_bool(c, "writable", dir->error == 0);
    check_say(c, CHECK_OK, "%s%s", dir->path, dir->exists ? "" : " (made when needed)");
    if (!dir->path[0]) {
        check_say(c, CHECK_WARN, "nowhere: neither $%s nor $HOME is set", places[c->probe->arg].variable);
        check_remedy(c, "export HOME=/a/directory/of/yours");
    } else if (dir->error) {
        check_say(c, CHECK_WARN, "%s cannot be written: %s", dir->path, strerror(dir->error));
        if (dir->error == EROFS)
            check_remedy(c, "set %s to a directory on a writable disk", places[c->probe->arg].setting);
        else if (!dir->exists)
            check_remedy(c, "as root: install -d -o %u -g %u %s", geteuid(), getegid(), dir->path);
        else
            check_remedy(c, "as root: chown %u:%u %s", geteuid(), getegid(), dir->path);
    }
    directory_space(c, dir);
}

/* ---- what is kept, and what may be ---- */

static void scan_at(struct retention *r, const char *path, const char *below, retention_is_ours *is_ours)
{
    char full[4200];
    (void)snprintf(full, sizeof full, "%s%s", path, below);
    cleanup(closep) int dir = path[0] ? open(full, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (dir >= 0)
        retention_scan(r, dir, is_ours, NULL);
}

static bool is_content(const char *name, const void *context)
{
    (void)context;
    return name[0] != '.';
}

/* Contents, each once however many runs share them. */
static void scan_objects(struct retention *r, const char *artifacts)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%s/objects", artifacts);
    DIR *d = opendir(path);
    for (const struct dirent *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            (void)snprintf(path, sizeof path, "%s/objects/%.255s", artifacts, e->d_name);
            scan_at(r, path, "", is_content);
        }
    if (d)
        (void)closedir(d);
}

/* The mark of run/sweep.c: beside the artifacts, or the logs. 0: never. */
static uint64_t last_sweep_ms(const char *artifacts, const char *logs)
{
    const char *const dirs[] = { artifacts, logs };
    char path[4200];
    struct stat st;
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
        (void)snprintf(path, sizeof path, "%s/.swept", dirs[i]);
        if (stat(path, &st) == 0)
            return (uint64_t)st.st_mtim.tv_sec * 1000;
    }
    return 0;
}

static void say_kept(struct check *c, const char *what, const struct retention *r, uint64_t max_bytes)
{
    char key[32];
    (void)snprintf(key, sizeof key, "%s_bytes", what);
    fact_number(c, key, (int64_t)r->total_bytes);
    /* an hour may pass until the next removal: what one hour adds is no fault */
    if (max_bytes && r->total_bytes > max_bytes + max_bytes / 4 + 64 * MIB) {
        check_add(c, CHECK_WARN, "the %s take %llu MiB, and the configuration keeps %llu", what,
                  (unsigned long long)(r->total_bytes / MIB), (unsigned long long)(max_bytes / MIB));
        check_remedy(c, "the next run removes the oldest; if this stays, look whether the directory can be written");
    }
}

void probe_retention(struct doctor *d, struct check *c)
{
    const struct wishes *w = &d->wishes;
    struct place {
        struct directory logs, caches;
        char artifacts[4200];
        struct retention log, artifact, cache;
    };
    cleanup(freep) struct place *p = malloc(sizeof *p);
    if (!p) {
        check_say(c, CHECK_FAIL, "out of memory");
        return;
    }
    uint64_t now_ms = wall_clock_ms();
    directory_choose(d, LOG_DIR, &p->logs);
    directory_choose(d, CACHE_DIR, &p->caches);
    bool is_below = !w->artifacts || str_eq(w->artifacts, "/var/log/sandbox/artifacts");
    (void)snprintf(p->artifacts, sizeof p->artifacts, "%s%s", is_below ? p->logs.path : w->artifacts,
                   is_below ? "/artifacts" : "");
    retention_init(&p->log, now_ms);
    retention_init(&p->artifact, now_ms);
    retention_init(&p->cache, now_ms);
    scan_at(&p->log, p->logs.path, "", retention_is_run_log);
    scan_objects(&p->artifact, p->artifacts);
    scan_at(&p->cache, p->caches.path, "", retention_is_policy);
    scan_at(&p->cache, p->caches.path, "/scan", retention_is_entry);
    scan_at(&p->cache, p->caches.path, "/compiled", retention_is_entry);
    uint64_t swept_ms = last_sweep_ms(p->artifacts, p->logs.path);
    check_say(
        c, CHECK_OK,
        "logs %llu MiB of %llu (%llu days), artifacts %llu of %llu (%llu days), caches %llu of %llu (%llu days)%s",
        (unsigned long long)(p->log.total_bytes / MIB), (unsigned long long)(w->kept_logs.max_bytes / MIB),
        (unsigned long long)w->kept_logs.days, (unsigned long long)(p->artifact.total_bytes / MIB),
        (unsigned long long)(w->kept_artifacts.max_bytes / MIB), (unsigned long long)w->kept_artifacts.days,
        (unsigned long long)(p->cache.total_bytes / MIB), (unsigned long long)(w->kept_caches.max_bytes / MIB),
        (unsigned long long)w->kept_caches.days, swept_ms ? "" : "; nothing was removed yet");
    fact_number(c, "log_files", (int64_t)p->log.files);
    fact_number(c, "last_sweep_age_s", swept_ms && swept_ms <= now_ms ? (int64_t)((now_ms - swept_ms) / 1000) : -1);
    say_kept(c, "logs", &p->log, w->kept_logs.max_bytes);
    say_kept(c, "artifacts", &p->artifact, w->kept_artifacts.max_bytes);
    say_kept(c, "caches", &p->cache, w->kept_caches.max_bytes);
}
