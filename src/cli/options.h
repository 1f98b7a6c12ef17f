/* options.h - the command line of `run`, as one table: parsing, --help and the error texts come from it. */
#pragma once
#include "base/buf.h"
#include "run/options.h"

/* argv without the program's name (and without `run` or `wrap`). 0, or BLAME_CALLER naming option and value. */
int options_parse(int argc, char **argv, bool is_wrap, struct options *ret, struct error *err);
/* The option lines of --help; of those that `wrap` alone has. */
void options_help(bool is_wrap, struct buf *out);
