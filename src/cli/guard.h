/* guard.h - what a wrapped tool may not change in a person's project, since it would run with the person's rights.
 *
 * A hook of git's, an editor's task, an agent's or a CI's settings are started by other programs, later, outside of any
 * sandbox. So each such place becomes a line of shape.guards (plan/plan.h). A place that does not exist must not come
 * into being either, and a mount needs something to lie on: guards_make() puts an empty directory there (within .git a
 * file that git reads as nothing), with a time of change that tells it from a user's own, and guards_end() takes it
 * away. git does not see empty directories. A wrap that was killed leaves them, and the next one in this directory
 * takes them away; while two run, the later one does (flock on the directory).
 *
 * Below the project's own directory the same names are guarded where they exist when the tool starts, by a walk with
 * bounds; what the walk did not reach is a line of `missing`. What the tool makes anew there no mount can prevent:
 * guards_look() looks for it when the tool has ended.
 */
#pragma once
#include <limits.h>
#include <sys/stat.h>
#include <time.h>
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"

#define GUARDS_MAX 1000u
/* Room for all that guards_look() and guards_end() say: a line for each guard and 100 others. Each byte of a line's
 * path may be shown as four. */
#define GUARDS_SAID_MAX ((GUARDS_MAX + 100u) * 5u * PATH_MAX)

struct guarded {
    const char *path; /* from the project */
    char kind;        /* enum guard_kind */
    bool is_git;      /* a git directory: its configuration and hooks are guarded, too */
    dev_t dev;
    ino_t ino;
};

struct guards {
    int dir;             /* the project, or its copy; guards_end() closes it */
    const char *project; /* its path, without links. Borrowed */
    struct arena *arena;
    const struct strlist *writable; /* from the project: these places stay as they are. Borrowed */
    struct strlist *missing;        /* what could not be had, for isolation.missing. Borrowed */
    struct guarded list[GUARDS_MAX];
    uint32_t count, seen;               /* seen: entries that the walk looked at */
    const char *user_name, *user_email; /* by the person's own configuration of git; NULL: not said */
    bool is_cut;                        /* the walk ended at a bound */
    bool is_dry;                        /* --dry-run: nothing is made */
    bool is_bare;                       /* the project itself is a git directory */
    struct timespec since;              /* what the file system's clock said before the tool started */
};

/* A path below dir, with no link on the way: openat2(2). A descriptor, or -1 and errno. */
int open_beneath(int dir, const char *path, int flags);
/* Takes dir. Waits while another wrap of this directory ends. 0, or negative and why. */
int guards_begin(struct guards *g, int dir, struct error *err);
/* The built-in places: finds those that are there, makes those that are not. */
int guards_make(struct guards *g, struct error *err);
/* One more: kind 'r', which is made where it is not there, or 'h', which must be there. The directories above it stay
 * where they are. An error if it lies in a place of `writable`. */
int guards_add(struct guards *g, char kind, const char *path, struct error *err);
/* Whether a path from the project is at or below a place of the table, at any depth: what a review never applies. */
bool guards_cover(const char *path, const struct strlist *writable);
/* The same for what lies in a git directory that was there before: from that directory. */
bool guards_cover_git(const char *path);
bool guards_may_write(const char *path, const struct strlist *writable);
/* It is such a place itself: what --writable may name. */
bool guards_have(const char *path);
/* As lines of shape.guards; inside: where the project is mounted. */
int guards_words(const struct guards *g, const char *inside, struct strlist *ret, struct error *err);
/* When the tool has ended, and before guards_end(): a repository that it made or changed, and that would have git
 * execute something, is put out of git's way by another name; new settings are said. Without one of these any `git
 * status` above it, which shells' prompts start by themselves, would execute what the tool wrote. */
void guards_look(const struct guards *g, struct buf *words);
/* Takes away what was made, and says in words which places are not what they were. Accepts one that has not begun. */
void guards_end(struct guards *g, struct buf *words);
