/* doctor_files.c - the directories that runs write to (contract: Files). Nothing is created. */
#include "tool/doctor.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/statvfs.h>

enum { LOG_DIR, STATE_DIR, CACHE_DIR, TEMP_DIR };

static const struct {
    const char *system; /* for root; the log's also for others who may write it */
    const char *variable, *below_home, *tail;
} places[] = {
    [LOG_DIR] = { "/var/log/sandbox", "XDG_STATE_HOME", ".local/state", "sandbox-agent/log" },
    [STATE_DIR] = { "/var/lib/sandbox-agent", "XDG_STATE_HOME", ".local/state", "sandbox-agent" },
    [CACHE_DIR] = { "/var/cache/sandbox-agent", "XDG_CACHE_HOME", ".cache", "sandbox-agent" },
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

/* As run/paths.c has it. The log goes where the configuration says, else to the system's place when that
 * can be written; root's cache goes to the system's place unless it is told otherwise. */
static void directory_choose(const struct doctor *d, int which, struct directory *ret)
{
    const char *tmp = getenv("TMPDIR");
    bool is_system = which == LOG_DIR || (d->is_root && !(which == CACHE_DIR && getenv("XDG_CACHE_HOME")));
    *ret = (struct directory){ 0 };
    if (which == TEMP_DIR)
        (void)snprintf(ret->path, sizeof ret->path, "%s", tmp && tmp[0] == '/' ? tmp : "/tmp");
    else if (which == LOG_DIR && d->wishes.log_dir)
        (void)snprintf(ret->path, sizeof ret->path, "%s", d->wishes.log_dir);
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
            check_remedy(c, "set sandbox.paths.log_dir in the configuration to a directory on a writable disk");
        else if (!dir->exists)
            check_remedy(c, "as root: install -d -o %u -g %u %s", geteuid(), getegid(), dir->path);
        else
            check_remedy(c, "as root: chown %u:%u %s", geteuid(), getegid(), dir->path);
    }
    directory_space(c, dir);
}
