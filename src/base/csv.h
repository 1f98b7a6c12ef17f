/* csv.h - cells of comma-separated values (RFC 4180) that no spreadsheet takes for a formula. */
#pragma once
#include "base/buf.h"

/* Quoted; control characters as \xNN; one that would be a formula begins with an apostrophe. end: what follows. */
void csv_cell(struct buf *out, const char *text, char end);
