/* source.h - what the command line hands to a run besides words: code that can be read once only, and standard input.
 *
 * Files are opened by run/load.h. Here is what only the command line has: code as a word (-c), from standard input,
 * from a FIFO (so `--code <(command)` works), and standard input that is passed on to a command without being asked
 * for.
 */
#pragma once
#include "base/arena.h"
#include "run/options.h"

/* Sets text of o where its code is no regular file. *ret_owned: to free, or NULL. stop: readable when we are to end. */
int source_code(struct options *o, int stop, char **ret_owned, struct error *err);
/* A command reads our standard input if that is a pipe, a file or a socket: never a terminal, which other programs read
 * too. */
void source_input(struct options *o);
/* Reads what --file names: PATH, which becomes its base name beside the program, or PATH:INSIDE. Regular files. */
int source_files(struct options *o, struct arena *a, struct error *err);
/* Relative HOST in --volume: from the current directory, also with . and .. in it. Links are run/load.h's to refuse. */
int source_volumes(struct options *o, struct error *err);
