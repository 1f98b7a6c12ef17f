/* copy.h - every row of one store into another, and whether two have the same. */
#pragma once
#include "store/store.h"

/* One table is done: its rows. */
typedef void (*copy_tell)(void *context, const char *table, uint64_t rows);

/* In one transaction, which is on the disk when this returns. *to has to be empty: -EEXIST. Runs that are open belong
 * to the node of *to afterwards. *from may not be written meanwhile: the caller is its service (store_set_service). */
int store_copy(struct store *from, struct store *to, copy_tell tell, void *context, struct error *err);
/* -EBADMSG, BLAME_HOST: they differ; err says in which table, and at which row the first difference is. */
int store_compare(struct store *from, struct store *to, copy_tell tell, void *context, struct error *err);
