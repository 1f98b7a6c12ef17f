/* sqlite.h - the store (store/store.h) as an SQLite database of this process. */
#pragma once
#include "store/store.h"

/* Creates what is missing (directory 0700, file 0600). err names the file and the remedy. */
int store_open(const char *path, struct store **ret, struct error *err);
/* What store_recover() takes over belongs to this process from now on, and is free again when it dies; without this, to
 * the caller's. For a server that outlives its client by a moment. */
void store_act_for(struct store *s, uint64_t pid);
