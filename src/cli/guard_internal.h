/* guard_internal.h - between the files of the guards: guard.c (places, mounts' lines), guard_git.c (what git would
 * execute, when the tool starts), guard_look.c (what the tool has made, when it has ended). */
#pragma once
#include "cli/guard.h"
#include "plan/plan.h"

extern const char guard_directory[];

/* A place, and what is made where nothing is: guard_directory, the text of a file, or NULL: nothing. */
int guard_add(struct guards *g, char kind, const char *path, const char *made, struct error *err);
/* And the directories above it: else the tool could rename one of them, and make the same anew. Where they are missing
 * and something is to be made, the topmost of those is made. */
int guard_add_below(struct guards *g, char kind, const char *path, const char *made, struct error *err);
int guard_failed(const char *path, int e, const char *what, struct error *err);
int guard_unsaid(struct error *err);
/* A line for a person; path and more may be the tool's. */
void guard_say(struct buf *words, const char *path, const char *text, const char *more);
/* A name of the table, and in a place where it counts. */
bool guard_is_place(const char *path);

typedef int guard_visit(struct guards *g, const char *path, bool is_dir, unsigned depth, struct error *err);
/* Calls each() for what lies in a directory; one that does not exist is empty. */
int guard_each(struct guards *g, const char *path, unsigned depth, guard_visit *each, struct error *err);

/* path: .git, or one further down, a directory or a file that names one. */
int guard_repository(struct guards *g, const char *path, struct error *err);
/* path: a HEAD that is not in a .git: of a repository without a work tree, or of something else. */
int guard_bare(struct guards *g, const char *path, struct error *err);
