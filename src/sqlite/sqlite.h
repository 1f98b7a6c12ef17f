/* sqlite.h - the store (store/store.h) as an SQLite database of this process. */
#pragma once
#include "store/store.h"

/* Creates what is missing (directory 0700, file 0600). err names the file and the remedy. */
int store_open(const char *path, struct store **ret, struct error *err);
