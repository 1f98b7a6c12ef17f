/* secret_file.h - a small file with a secret in it, such as a password, a chat's URL or a token. */
#pragma once
#include "base/error.h"

/* Its whole text, with a NUL behind it. what: the key, for the error. Refused: no file, one that others may read, an
 * empty one, and one that has no room in ret. The caller wipes ret. */
int secret_file_read(const char *what, const char *path, char *ret, size_t size, struct error *err);
/* The next line of it, cut out by a NUL where it ends; *at goes behind it. NULL: there is none. Empty lines are
 * skipped. */
char *secret_file_line(char **at);
