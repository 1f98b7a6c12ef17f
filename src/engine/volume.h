/* volume.h - how the code gets into a container: a volume of the engine's, filled once, mounted read-only.
 *
 * Nothing of the host's file system is mounted for it. A container that is never started lends the volume its name for
 * PUT archive: the run's own has a read-only root, into which Docker refuses to unpack.
 */
#pragma once
#include "engine/api.h"
#include "engine/owner.h"
#include "engine/request.h"

#define ENTRY_NAME ".entry"

/* The archive of q's files below CODE_DIR, with our program `entry` (a path) as ENTRY_NAME. */
int volume_archive(const struct request *q, const char *entry, struct buf *ret, struct error *err);
/* Pairs «from, to» for files outside CODE_DIR: a file of the same bytes inside it is the source. */
int volume_copies(const struct request *q, struct strlist *ret, struct error *err);

int volume_make(struct engine *e, struct arena *a, const char *name, const char *image, json_t *labels,
                struct bytes tar, struct error *err);
int volume_remove(struct engine *e, struct arena *a, const char *name, struct error *err);
int container_remove(struct engine *e, struct arena *a, const char *id, struct error *err);
