/* options.h - the command line of `run`, as one table: parsing, --help and the error texts come from it. */
#pragma once
#include "base/buf.h"
#include "run/options.h"

/* argv without the program's name (and without `run`). 0, or BLAME_CALLER naming option and value. */
int options_parse(int argc, char **argv, struct options *ret, struct error *err);
/* The option lines of --help. */
void options_help(struct buf *out);
/* All option names, one a line: for the bash completion and its test. */
void options_names(struct buf *out);
