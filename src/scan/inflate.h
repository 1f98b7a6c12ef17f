/* inflate.h - what zlib.decompress() and its kin give of a constant text: decoded programs are read, too. */
#pragma once
#include "scan/fold.h"

/* Raw, zlib or gzip. False: not of the form, or longer than FOLD_MAX_TEXT. */
bool fold_inflate(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
