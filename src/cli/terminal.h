/* terminal.h - --tty: the program gets a terminal of its own, and ours becomes it.
 *
 * What is typed goes there byte by byte, ^C and ^Z too; what the program writes comes here as it is; the size follows
 * ours (struct stream's `terminal`). Ours is raw meanwhile.
 */
#pragma once
#include "run/exec.h"

/* Of what is asked for: standard input has to be a terminal. 0, or -ENOTTY. */
int terminal_check(struct options *o, struct error *err);
/* Opens the program's terminal and makes ours raw, where options.has_terminal is asked for. 0 or -errno. */
int terminal_open(struct exec *s, struct error *err);
/* Ours as it was: before any words of our own. Accepts one that was never opened. */
void terminal_restore(struct exec *s);
