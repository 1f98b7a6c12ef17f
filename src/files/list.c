#include <stdio.h>
#include <time.h>

#include "base/json.h"
#include "base/utf8.h"
#include "files/internal.h"
#include "files/walk.h"

int wfile_list(int root, const char *path, uint32_t depth, uint32_t max_entries,
               bool (*each)(void *ctx, const struct wfile_entry *e), void *ctx, bool *ret_is_cut)
{
    char target[PATH_MAX];
    struct wfile_walk *w = malloc(sizeof *w);
    if (!w)
        return -ENOMEM;
    int e = wfile_walk_begin(w, root, path, MAX_OF(depth, 1u), max_entries);
    for (bool goes_on = e == 0; goes_on && wfile_walk_next(w);) {
        const char *name;
        int dir = wfile_walk_dir(w, &name);
        target[0] = '\0';
        if (w->stat.kind == WFILE_LINK)
            wfile_link_text(dir, name, target);
        const struct wfile_entry entry = { .name = w->path, .target = target, .stat = w->stat };
        goes_on = each(ctx, &entry);
        w->is_cut |= !goes_on;
    }
    wfile_walk_done(w);
    *ret_is_cut = e == 0 && (w->is_cut || w->failure);
    free(w);
    return e;
}

/* --- for clients --------------------------------------------------------------------------------------- */

static bool is_text(const char *name)
{
    for (size_t left = strlen(name), n; left; left -= n, name += n)
        if (!(n = utf8_size(name, left)))
            return false;
    return true;
}

static void add_encoded(struct buf *out, const char *name)
{
    for (const char *p = name; *p; p++)
        if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || strchr("-._~/", *p))
            (void)buf_addc(out, *p);
        else
            (void)buf_addf(out, "%%%02X", (unsigned char)*p);
}

static void add_time(struct buf *out, const struct wfile_stat *st)
{
    struct tm tm;
    time_t t = (time_t)st->modified_s;
    char text[64] = "1970-01-01T00:00:00";
    /* the program sets what time it likes: beyond the year 9999 there is no such text */
    if (st->modified_s < 0 || st->modified_s > INT64_C(253402300799) || !gmtime_r(&t, &tm) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm))
        t = 0;
    size_t n = strlen(text);
    (void)snprintf(text + n, sizeof text - n, ".%03uZ", t ? st->modified_ns / 1000000 % 1000 : 0);
    json_put_string(out, text);
}

static void put_name(struct buf *out, const char *name)
{
    json_key(out, "name"), json_put_string(out, name);
    if (is_text(name))
        return;
    json_key(out, "name_encoded");
    (void)buf_addc(out, '"');
    add_encoded(out, name);
    (void)buf_addc(out, '"');
}

void wfile_event_json(struct buf *out, const struct wfile_event *e)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, wfile_change_name(e->change));
    put_name(out, e->name);
    json_key(out, "directory"), json_bool(out, e->is_directory);
    json_close(out, '}');
}

const char *wfile_change_name(enum wfile_change c)
{
    static const char *const names[WFILE_CHANGES] = {
        "create", "write", "remove", "rename", "chmod", "overflow", "gone"
    };
    return names[c];
}

void wfile_entry_json(struct buf *out, const struct wfile_entry *e)
{
    char mode[8];
    (void)snprintf(mode, sizeof mode, "%04o", e->stat.mode & 0777);
    json_open(out, '{');
    put_name(out, e->name);
    json_key(out, "type"), json_put_string(out, wfile_kind_name(e->stat.kind));
    json_key(out, "size"), json_uint(out, e->stat.size);
    json_key(out, "mode"), json_put_string(out, mode);
    json_key(out, "modified"), add_time(out, &e->stat);
    if (e->stat.kind == WFILE_LINK)
        json_key(out, "target"), json_put_string(out, e->target);
    json_close(out, '}');
}
