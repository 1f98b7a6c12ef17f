/* signals.h - what ends the command line while it runs code: ^C and its relatives.
 *
 * signals_catch() blocks them before anything is started, so that from then on each of them is read from a descriptor
 * (struct stream's stop) and ends the run in order: the sandbox, the audit, the result. signals_end() is the last thing
 * that is done: it dies by SIGINT where that was the reason, because a shell ends its loop only then.
 */
#pragma once
#include "base/error.h"

/* A descriptor that is readable when one has come; -1: none can be had. A SIGHUP that the caller ignores (nohup)
 * stays ignored; SIGINT does not, since a shell's job in the background has no other way to be ended in order. */
int signals_catch(void);
/* caught: the signal that ended the run, 0: none; one that has come since counts as well. Returns when it was not
 * SIGINT. */
void signals_end(int fd, int caught);
