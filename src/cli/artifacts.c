/* artifacts.c - the commands `artifacts list`, `artifacts show` and `artifacts sweep`. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/artifacts.h"
#include "audit/manifest.h"
#include "audit/line.h"
#include "base/json.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "base/clock.h"

#define DAY_MS UINT64_C(86400000)

static uint64_t modified_ms(const struct stat *st)
{
    return (uint64_t)st->st_mtim.tv_sec * 1000 + (uint64_t)st->st_mtim.tv_nsec / 1000000;
}

/* --- list ------------------------------------------------------------------------------------------ */

struct execution {
    char id[129];
    uint64_t at_ms, bytes;
    uint32_t files;
    bool has_manifest;
};

static int by_time(const void *a, const void *b)
{
    const struct execution *x = a, *y = b;
    return x->at_ms < y->at_ms ? -1 : x->at_ms > y->at_ms ? 1 : strcmp(x->id, y->id);
}

static bool look_at(int top, const char *id, struct execution *ret)
{
    struct stat st;
    int fd = openat(top, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        closep(&fd);
        return false;
    }
    *ret = (struct execution){ 0 };
    (void)snprintf(ret->id, sizeof ret->id, "%s", id);
    if (fstat(fd, &st) == 0)
        ret->at_ms = modified_ms(&st);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.' || fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode))
            continue;
        if (str_eq(e->d_name, "manifest.json")) {
            ret->has_manifest = true;
            ret->at_ms = modified_ms(&st);
        } else {
            ret->files++;
            ret->bytes += (uint64_t)st.st_size;
        }
    }
    (void)closedir(d);
    return true;
}

static int collect(const char *path, struct execution **ret, size_t *ret_count, struct error *err)
{
    struct execution *list = NULL;
    size_t count = 0, cap = 0;
    DIR *top = opendir(path);
    *ret = NULL;
    *ret_count = 0;
    if (!top)
        return errno == ENOENT ? 0 : err_set(err, -errno, BLAME_HOST, "ARTIFACTS", "%s: %m", path);
    for (struct dirent *e; (e = readdir(top));) {
        if (!artifacts_id_is_valid(e->d_name))
            continue;
        if (count == cap) {
            struct execution *more = realloc(list, (cap = cap ? 2 * cap : 256) * sizeof *more);
            if (!more) {
                free(list);
                (void)closedir(top);
                return err_set(err, -ENOMEM, BLAME_HOST, "ARTIFACTS", "no memory for %zu executions", cap);
            }
            list = more;
        }
        count += look_at(dirfd(top), e->d_name, &list[count]);
    }
    (void)closedir(top);
    if (count)
        qsort(list, count, sizeof *list, by_time);
    *ret = list;
    *ret_count = count;
    return 0;
}

static void print_list(const struct execution *list, size_t count, bool json)
{
    char stamp[AUDIT_TIME_SIZE];
    (void)fputs(json ? "{\"executions\":[" : "", stdout);
    for (size_t i = 0; i < count; i++) {
        const struct execution *x = &list[i];
        audit_time_write(x->at_ms, stamp);
        if (json) {
            (void)printf("%s{\"execution_id\":\"%s\",\"at\":\"%s\",\"files\":%u,\"bytes\":%llu,\"has_manifest\":%s}",
                         i ? "," : "", x->id, stamp, x->files, (unsigned long long)x->bytes,
                         x->has_manifest ? "true" : "false");
            continue;
        }
        if (!i)
            (void)printf("%-32s %-19s %6s %12s\n", "EXECUTION", "TIME (UTC)", "FILES", "BYTES");
        (void)printf("%-32s %.19s %6u %12llu%s\n", x->id, stamp, x->files, (unsigned long long)x->bytes,
                     x->has_manifest ? "" : "  (unfinished)");
    }
    (void)fputs(json ? "]}\n" : "", stdout);
    if (!json && !count)
        (void)fprintf(stderr, "sandbox-agent: no artifacts are kept here\n");
}

static int artifacts_list(const struct records *where, const char *const *rest, size_t count, bool json,
                          struct error *err)
{
    struct execution *list;
    size_t n;
    (void)rest;
    if (count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "artifacts list takes no further word");
    int e = collect(where->places.artifacts_dir, &list, &n, err);
    if (e < 0)
        return e;
    print_list(list, n, json);
    free(list);
    return 0;
}

/* --- show ------------------------------------------------------------------------------------------ */

static bool print_entry(void *context, const struct manifest_entry *x)
{
    struct buf b;
    (void)context;
    buf_init(&b, 64 * KIB);
    (void)buf_addf(&b, "%-10.*s %12llu  ", (int)MIN_OF(x->role.size, 32u), x->role.p, (unsigned long long)x->size);
    slice_print(x->name, &b);
    if (x->left_out.p) {
        (void)buf_adds(&b, "  left out: ");
        slice_print(x->left_out, &b);
    }
    (void)printf("%s\n", b.data ? b.data : "");
    buf_done(&b);
    return true;
}

static int print_content(int dir, const char *hash, struct error *err)
{
    char chunk[65536];
    cleanup(closep) int fd = openat(dir, hash, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : 0;
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0)
        if (fwrite(chunk, 1, (size_t)n, stdout) != (size_t)n)
            return 0;
    return n < 0 ? err_set(err, -errno, BLAME_HOST, "ARTIFACTS", "%s: %m", hash) : 0;
}

static int show_one(int dir, const char *id, const struct buf *manifest, const char *name, struct error *err)
{
    char hash[65];
    bool is_left_out;
    if (manifest_find(manifest, name, hash, &is_left_out))
        return print_content(dir, hash, err);
    (void)err_set(err, -ENOENT, BLAME_CALLER, NULL, "artifacts show: %s of %s %s", name, id,
                  is_left_out ? "was left out" : "is not there");
    return err_remedy(err, "sandbox-agent artifacts show %s says what is kept", id);
}

static int artifacts_show(const struct records *where, const char *const *rest, size_t count, bool json,
                          struct error *err)
{
    struct buf manifest = { 0 };
    int dir = -1;
    if (!count)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "artifacts show: which execution? `artifacts list` names them");
    int e = manifest_open(where->places.artifacts_dir, rest[0], &dir, &manifest, err);
    if (e < 0) {
        e = err_wrap(err, "artifacts show");
    } else if (count == 2) {
        e = show_one(dir, rest[0], &manifest, rest[1], err);
    } else if (json) {
        (void)fwrite(manifest.data, 1, manifest.size, stdout);
    } else {
        (void)printf("%-10s %12s  %s\n", "ROLE", "BYTES", "NAME");
        manifest_each(manifest.data, manifest.size, print_entry, NULL);
    }
    closep(&dir);
    buf_done(&manifest);
    return e;
}

/* --- sweep ------------------------------------------------------------------------------------------- */

static int artifacts_sweep_now(const struct records *where, uint64_t before_ms, bool json, struct error *err)
{
    struct sweep_result r;
    int e = artifacts_sweep(where->places.artifacts_dir, before_ms, &r, err);
    if (json)
        (void)printf("{\"executions\":%llu,\"objects\":%llu,\"bytes\":%llu}\n", (unsigned long long)r.executions,
                     (unsigned long long)r.objects, (unsigned long long)r.bytes);
    else
        (void)printf("removed %llu executions and %llu objects (%llu bytes)\n", (unsigned long long)r.executions,
                     (unsigned long long)r.objects, (unsigned long long)r.bytes);
    return e;
}

static int before_from(const struct config *c, const char *before, const char *older, uint64_t *ret, struct error *err)
{
    const uint64_t now = wall_clock_ms();
    uint64_t days = c->security.store_artifacts.retention_days;
    int e = 0;
    if (before && older)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "artifacts sweep: either --before or --older-than");
    if (before)
        return records_time("--before", before, now, ret, err);
    if (older)
        e = records_number("--older-than", older, 36500, &days, err);
    *ret = now - MIN_OF(days * DAY_MS, now);
    return e;
}

int cmd_artifacts(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *config = NULL, *before = NULL, *older = NULL, *rest[3];
    bool json = false;
    size_t count = 0;
    uint64_t before_ms;
    struct records where;
    struct error err = { 0 };
    const struct word words[] = { { "--before", &before, NULL, NULL },
                                  { "--older-than", &older, NULL, NULL },
                                  { "--config", &config, NULL, NULL },
                                  { "--json", NULL, &json, NULL },
                                  { 0 } };
    int e = words_parse(argc, argv, words, rest, ARRAY_LEN(rest), &count, &err);
    const char *verb = count ? rest[0] : "";
    bool is_list = str_eq(verb, "list"), is_show = str_eq(verb, "show"), is_sweep = str_eq(verb, "sweep");
    if (e == 0 && !is_list && !is_show && !is_sweep)
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "artifacts %s: accepted are list, show and sweep", verb);
    if (e == 0 && (before || older) && !is_sweep)
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "artifacts %s: --before and --older-than are for sweep", verb);
    if (e == 0 && is_sweep && count > 1)
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "artifacts sweep: unexpected word %s", rest[1]);
    if (e < 0 || (e = records_find(p, config, a, &where, &err)) < 0)
        return records_fail(&err);
    if (is_list)
        e = artifacts_list(&where, rest + 1, count - 1, json, &err);
    else if (is_show)
        e = artifacts_show(&where, rest + 1, count - 1, json, &err);
    else if ((e = before_from(&where.policy.config, before, older, &before_ms, &err)) == 0)
        e = artifacts_sweep_now(&where, before_ms, json, &err);
    compiled_done(&where.policy);
    if (e < 0)
        return records_fail(&err);
    return output_end(0);
}
