/* prepare.c - what is done before the facts are told: the program is looked for, files are copied to where the payload
 * may write. */
#include "entry/entry.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "base/io.h"

#define DEFAULT_PATH \
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" /* an engine's, where the image says nothing */

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* An engine hides a program by laying the null device over it, or over what it leads to where it is a link. */
static bool is_hidden(const char *path)
{
    struct stat st;
    return !str_starts(path, "/dev/") && stat(path, &st) == 0 && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

/* As execvp(3) searches: what may be executed goes before what is merely there, whose exec then says why not. */
static void find_in(struct entry *e, const char *path)
{
    char candidate[PATH_MAX];
    for (const char *dir = path, *end; dir; dir = *end ? end + 1 : NULL) {
        end = strchrnul(dir, ':');
        int n = snprintf(candidate, sizeof candidate, "%.*s/%s", (int)(end - dir), dir, e->plan.program);
        if (dir[0] != '/' || n < 0 || (size_t)n >= sizeof candidate)
            continue; /* a relative directory would be the payload's to choose */
        e->is_program_hidden = e->is_program_hidden || is_hidden(candidate);
        if (!is_file(candidate))
            continue;
        bool may_execute = access(candidate, X_OK) == 0;
        if (may_execute || !e->program)
            e->program = memcpy(e->program_path, candidate, (size_t)n + 1);
        if (may_execute)
            return;
    }
}

const char *image_path(void)
{
    const char *path = getenv("PATH");
    return path ? path : DEFAULT_PATH;
}

void program_find(struct entry *e)
{
    e->program = NULL;
    e->is_program_hidden = e->plan.program[0] == '/' && is_hidden(e->plan.program);
    if (e->plan.program[0] == '/') {
        if (!e->is_program_hidden &&
            (access(e->plan.program, F_OK) == 0 || errno != ENOENT)) /* what else is wrong with it, its exec says */
            e->program = e->plan.program;
        return;
    }
    const char *path = strlist_get(&e->plan.env, "PATH");
    find_in(e, path ? path : image_path());
}

static int copy_one(const char *from, const char *to)
{
    cleanup(closep) int in = open(from, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (in < 0 || fstat(in, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    /* not through a link, which another process may have laid into a volume */
    cleanup(closep) int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (out < 0 || fchmod(out, 0644) < 0)
        return -errno;
    char chunk[16384];
    for (ssize_t n; (n = read(in, chunk, sizeof chunk)) != 0;) {
        int r = n < 0 ? -errno : write_all(out, chunk, (size_t)n);
        if (r < 0)
            return r;
    }
    return 0;
}

int copies_make(const struct strlist *copies, struct error *err)
{
    /* in pairs: frame_get_plan() */
    for (const char *from = strlist_first(copies), *to; from && (to = strlist_next(copies, from));
         from = strlist_next(copies, to)) {
        int r = copy_one(from, to);
        if (r < 0)
            return err_set(err, r, BLAME_HOST, "COPY", "copy %s to %s: %s", from, to, strerror(-r));
    }
    return 0;
}
