/* output_dir.h - --output-dir: the files that a program left in /workspace, as files of the caller's. */
#pragma once
#include "base/error.h"

/* A directory that does not exist (it is made), or is empty: nothing of the caller's is replaced. -> a descriptor, the
 * caller's to close, or negative (BLAME_CALLER). */
int output_dir_open(const char *path, struct error *err);
/* name: below it, with directories, which are made. Only names that stay below it are taken, and links are not
 * followed. 0, or negative and why. */
int output_dir_add(int dir, const char *name, const void *data, size_t size, struct error *err);
