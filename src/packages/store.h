/* store.h - the package sets of one state directory, and how a run takes hold of one.
 *
 *     <state>/packages/sets/NAME.json     what is known of a set: one JSON object on one line (docs/packages.md)
 *     <state>/packages/trees/HASH/        what it holds, read-only, shared by all sets of the same content
 *     <state>/packages/building/          builds on their way, and trees that are being removed
 *     <state>/packages/lock               held while sets and trees change (flock, shared or exclusive; for moments)
 *
 * Files, not rows of the store: a run on the command line looks a set up without a database, and what a killed builder
 * left is seen by its name. Names are one space for all tenants: a set has an owner («uid:1000», «key:ID»), and no
 * other one takes its name, uses it or removes it. A tree in use is locked (flock, shared) by each run that has it
 * mounted, so that no removal takes files away under a program.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"

#define PACKAGE_NAME_MAX     64u
#define PACKAGE_NAME_WORDS   "letters a-z, digits, dot, dash and underscore, at most 64, the first a letter or digit"
#define PACKAGE_SET_MAX_SIZE (16 * MIB) /* of NAME.json: a lock of 10,000 packages has 3 MiB */

enum package_kind { PACKAGE_PYTHON, PACKAGE_NODE, PACKAGE_KINDS };
extern const char *const package_kind_names[]; /* «python», «node», NULL */

bool package_name_is_accepted(const char *name);

/* A set that a run has taken hold of. */
struct package_use {
    const char *name, *tree; /* in the arena; tree: its hash */
    enum package_kind kind;
    const char *host; /* of the tree, absolute and without links */
    uint64_t dev, ino;
    int fd; /* holds the lock; closed by the run when it is over */
};
/* owner: whose set it has to be; NULL: any. -ENOENT, -EACCES (BLAME_POLICY) where it is another one's, and what else
 * can be wrong with one, with the remedy. */
int package_use(const char *state_dir, const char *name, const char *owner, struct arena *a, struct package_use *ret,
                struct error *err);

/* -> <state>/packages, made where it is not there; or an error. */
int package_store_open(const char *state_dir, struct error *err);
/* -> the lock, which the caller closes, or an error. */
int package_store_lock(int store, bool is_exclusive, struct error *err);

/* The whole of NAME.json, initialised by this. 0, -ENOENT, or an error that is told. */
int package_set_read(int store, const char *name, struct buf *ret, struct error *err);
struct package_brief {
    char owner[128], tree[65];
    enum package_kind kind;
    uint64_t bytes; /* of its files */
};
/* What a run needs of NAME.json. 0, 1 where there is no set of this name, or an error. */
int package_set_brief(int store, const char *name, struct package_brief *ret, struct error *err);
/* The same of its text: 0 or -EBADMSG. */
int package_brief_read(const struct buf *text, struct package_brief *ret);
/* Calls each() with every set's name, in no order, until it says false. */
int package_sets_each(int store, bool (*each)(void *context, const char *name), void *context, struct error *err);
/* Needs the exclusive lock: NAME.json with this content, whole or not at all. */
int package_set_write(int store, const char *name, const struct buf *content, struct error *err);
/* Needs the exclusive lock. */
int package_set_remove(int store, const char *name, struct error *err);
