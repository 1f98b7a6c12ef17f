#include "run/decoy.h"

#include "base/clock.h"
#include "base/encoded.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/stat.h>

/* Keys to other doors, below a home or a project. Not what programs open by themselves wherever they run (.netrc,
 * .npmrc, .git-credentials, .env): reading one of those and then using the network is what it is there for. */
static const char *const secrets[] = { ".ssh/id_rsa",
                                       ".ssh/id_ed25519",
                                       ".ssh/id_ecdsa",
                                       ".aws/credentials",
                                       ".azure/accessTokens.json",
                                       ".config/gcloud/application_default_credentials.json",
                                       ".kube/config",
                                       ".vault-token",
                                       ".gnupg/secring.gpg",
                                       "id_rsa",
                                       "id_ed25519",
                                       "id_ecdsa",
                                       "service-account.json",
                                       "shadow" };

/* Those: what is looked for is who sends them (watch/carriers.c). */
static const char *const settings[] = { ".env",   ".env.local",       ".env.production", ".netrc",
                                        ".npmrc", ".git-credentials", ".pypirc",         ".pgpass" };

/* 0 or -errno. inotify's instances and watches are bounded for each user (fs.inotify.*), and so is our list. */
static int try_add(struct decoy *l, const char *host, const char *inside, uint32_t flags)
{
    if (l->count >= DECOY_MAX)
        return -ENOSPC;
    if (l->inotify < 0 && (l->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) < 0)
        return -errno;
    int wd = inotify_add_watch(l->inotify, host, IN_OPEN | IN_ACCESS);
    if (wd < 0)
        return -errno;
    l->list[l->count].wd = wd;
    l->list[l->count].flags = flags;
    l->list[l->count].inode = l->list[l->count].size = l->list[l->count].line = 0;
    l->list[l->count].is_told = false;
    l->list[l->count++].path = inside;
    return 0;
}

static bool add(struct decoy *l, const char *host, const char *inside, uint32_t flags)
{
    int e = try_add(l, host, inside, flags);
    if (e < 0) {
        l->unwatched++;
        l->why = -e;
    }
    return e == 0;
}

/* Its longest line: what a program would have to encode to send it. */
static uint64_t line_of(const char *host)
{
    char text[4096];
    cleanup(closep) int fd = open(host, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t size = fd < 0 ? -1 : read(fd, text, sizeof text);
    const char *best = NULL;
    size_t longest = 0;
    for (ssize_t at = 0; at < size;) {
        const char *end = memchr(text + at, '\n', (size_t)(size - at));
        const size_t whole = end ? (size_t)(end - text) - (size_t)at : (size_t)(size - at);
        const size_t n = whole && text[(size_t)at + whole - 1] == '\r' ? whole - 1 : whole;
        const bool is_cut = !end && size == (ssize_t)sizeof text;
        if (n > longest && !is_cut && encoded_is_worthwhile(text + at, n)) {
            longest = n;
            best = text + at;
        }
        at += (ssize_t)whole + 1;
    }
    return best ? encoded_hash(best, longest) : 0;
}

/* Read before it is watched: our own reading is no event. */
static bool add_file(struct decoy *l, const char *host, const char *inside, uint32_t flags)
{
    struct stat st;
    const bool is_there = stat(host, &st) == 0;
    const uint64_t line = is_there && S_ISREG(st.st_mode) ? line_of(host) : 0;
    if (!add(l, host, inside, flags) || !is_there)
        return false;
    l->list[l->count - 1].inode = st.st_ino;
    l->list[l->count - 1].size = (uint64_t)st.st_size;
    l->list[l->count - 1].line = line;
    return true;
}

static void add_all(struct decoy *l, const struct request_volume *v, const char *const *names, size_t count,
                    uint32_t flags, struct arena *a)
{
    for (size_t i = 0; i < count; i++) {
        const char *host = arena_printf(a, "%s/%s", v->host, names[i]);
        /* what we may not read, the program may not either: it has our rights or fewer */
        if (access(host, R_OK) == 0)
            (void)add_file(l, host, arena_printf(a, "%s/%s", v->inside, names[i]), flags);
    }
}

/* --- files of credentials further down in a volume: by their names, a bounded look ------------------------------- */

#define DEPTH_MAX   3u    /* directories below the volume's own */
#define ENTRIES_MAX 1024u /* of all of them */

struct search {
    struct decoy *decoy;
    struct arena *arena;
    uint32_t left;
};

/* «.env», «keys/id_rsa», «deploy.pem». Read by programs of all kinds where they lie, tests of a library among them: so
 * they are settings, and what is looked for is who sends them. */
static bool is_credentials(const char *name)
{
    static const char *const keys[] = { "id_rsa",      "id_ed25519",           "id_ecdsa",
                                        "credentials", "service-account.json", ".vault-token" };
    for (size_t i = 0; i < ARRAY_LEN(settings); i++)
        if (str_eq(name, settings[i]))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (str_eq(name, keys[i]))
            return true;
    return false;
}

/* What is below is others' work, and much of it. */
static bool is_worth_a_look(const char *name)
{
    static const char *const not [] = { ".git", "node_modules", "__pycache__", "venv", ".venv", "target", "vendor" };
    for (size_t i = 0; i < ARRAY_LEN(not ); i++)
        if (str_eq(name, not [i]))
            return false;
    return true;
}

static bool is_watched(const struct decoy *l, uint64_t inode)
{
    for (uint32_t i = 0; i < l->count; i++)
        if (l->list[i].inode == inode)
            return true;
    return false;
}

static void look_at(struct search *s, int dir, const char *name, const char *host, const char *inside)
{
    struct stat st;
    if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) || is_watched(s->decoy, st.st_ino))
        return;
    if (s->decoy->count >= DECOY_MAX / 2) /* the canaries' places are theirs */
        s->left = 0;
    else if (faccessat(dir, name, R_OK, 0) == 0)
        (void)add_file(s->decoy, arena_printf(s->arena, "%s/%s", host, name),
                       arena_printf(s->arena, "%s/%s", inside, name), WATCH_SETTINGS);
}

/* Takes dir. Links are not followed: what they lead to is another place's. */
static void search_below(struct search *s, int dir, const char *host, const char *inside, unsigned depth)
{
    DIR *d = fdopendir(dir);
    if (!d) {
        (void)close(dir);
        return;
    }
    for (struct dirent *e; s->left && (e = readdir(d));) {
        s->left--;
        if (str_eq(e->d_name, ".") || str_eq(e->d_name, ".."))
            continue;
        if (is_credentials(e->d_name)) {
            look_at(s, dirfd(d), e->d_name, host, inside);
        } else if (depth && e->d_type == DT_DIR && is_worth_a_look(e->d_name)) {
            int below = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
            if (below >= 0)
                search_below(s, below, arena_printf(s->arena, "%s/%s", host, e->d_name),
                             arena_printf(s->arena, "%s/%s", inside, e->d_name), depth - 1);
        }
    }
    (void)closedir(d);
}

static void add_below(struct decoy *l, const struct request_volume *v, struct arena *a)
{
    struct search s = { l, a, ENTRIES_MAX };
    int dir = open(v->host, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0)
        search_below(&s, dir, v->host, v->inside, DEPTH_MAX);
}

void decoy_open(struct decoy *l, const struct profile *p, const struct run_request *r, struct workspace *w,
                struct arena *a)
{
    *l = (struct decoy){ .inotify = -1, .start_ms = clock_ms() };
    if (detector_mode_of(p, DETECT_DATA_EXFILTRATION) == DETECTOR_OFF)
        return;
    l->profile = p;
    l->workspace = w;
    l->waits_for_workspace = w != NULL;
    for (uint32_t i = 0; i < r->volume_count; i++) {
        add_all(l, &r->volumes[i], secrets, ARRAY_LEN(secrets), WATCH_SENSITIVE, a);
        add_all(l, &r->volumes[i], settings, ARRAY_LEN(settings), WATCH_SETTINGS, a);
        add_below(l, &r->volumes[i], a);
    }
}

int decoy_poll_fd(const struct decoy *l)
{
    return l->waits_for_workspace ? l->workspace->sock : l->inotify;
}

void decoy_missing(const struct decoy *l, struct strlist *missing)
{
    if (l->unwatched) /* no memory for the line: then the run has more urgent things to say */
        (void)strlist_addf(missing, "canaries: %u of the files that are canaries or keys could not be watched: %s",
                           l->unwatched, strerror(l->why));
}

static void tell(struct decoy *l, uint32_t i, struct observe *o, struct client *c, uint64_t tag)
{
    const struct watch_event e = { .kind = WATCH_FILE,
                                   .at_us = (clock_ms() - l->start_ms) * 1000,
                                   .flags = l->list[i].flags,
                                   .args = { l->list[i].inode, l->list[i].size, l->list[i].line },
                                   .text = l->list[i].path };
    if (l->list[i].is_told)
        return;
    l->list[i].is_told = true;
    observe_tell(o, &e, c, tag);
}

/* By more than a millisecond: a file that was written long after it was made has its time of access from then, which is
 * earlier (launch/park.c). */
static bool is_later(const struct timespec *accessed, const struct timespec *written)
{
    const int64_t seconds = accessed->tv_sec - written->tv_sec;
    return seconds * 1000000000 + (accessed->tv_nsec - written->tv_nsec) > 1000 * 1000;
}

/* The directory is here, and with it the program may be running: who has read already shows in the file's time of
 * access. */
static void watch_canaries(struct decoy *l, struct observe *o, struct client *c, uint64_t tag)
{
    int dir = workspace_dir(l->workspace);
    l->waits_for_workspace = false;
    if (dir < 0)
        return; /* the program was never started */
    STRLIST_FOREACH(path, &l->profile->monitoring.canaries)
    {
        char place[320];
        struct stat st;
        const char *below = path + strlen("/workspace/");
        (void)snprintf(place, sizeof place, "/proc/self/fd/%d/%s", dir, below);
        if (add(l, place, path, WATCH_CANARY) && fstatat(dir, below, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            is_later(&st.st_atim, &st.st_mtim))
            tell(l, l->count - 1, o, c, tag);
    }
}

void decoy_read(struct decoy *l, struct observe *o, struct client *c, uint64_t tag)
{
    union {
        char bytes[4096];
        struct inotify_event align;
    } space;
    if (l->waits_for_workspace) {
        watch_canaries(l, o, c, tag);
        return;
    }
    ssize_t n = l->inotify < 0 ? -1 : read(l->inotify, &space, sizeof space);
    for (ssize_t at = 0; at + (ssize_t)sizeof(struct inotify_event) <= n;) {
        struct inotify_event e;
        memcpy(&e, space.bytes + at, sizeof e);
        for (uint32_t i = 0; i < l->count; i++)
            if (l->list[i].wd == e.wd)
                tell(l, i, o, c, tag);
        at += (ssize_t)(sizeof e + e.len);
    }
}

void decoy_done(struct decoy *l)
{
    closep(&l->inotify);
    l->count = 0;
}
