/* wrap.h - `sandbox-agent wrap`: a run of a person's own tool in the project directory (docs/wrap.md).
 *
 * It is a run like any other. What is special is laid into its options before it: the project as a volume at its own
 * path, the guards of what the tool must not change (cli/guard.h), the directory that the tool starts in, and other
 * defaults: level low, a deadline of a day, a terminal where there is one.
 */
#pragma once
#include "cli/guard.h"
#include "run/exec.h"

struct wrap;

/* The words of the command line become options of a run; nothing is made yet. NULL in *ret where o is no wrap. Memory
 * of a. */
int wrap_words(struct options *o, struct arena *a, struct wrap **ret, struct error *err);
/* Project and guards, into o. Accepts NULL. */
int wrap_begin(struct wrap *w, struct options *o, struct error *err);
/* When the tool has ended: what was made for it is taken away, its changes are reviewed. has_run: it started, and was
 * not stopped from outside. False: a change that was to be applied was not. Accepts NULL. */
bool wrap_end(struct wrap *w, bool has_run);
/* wrap --srt-settings FILE: sandbox-policy reads it (src/tool/srt.c) and begins again with its rules as words. 0 where
 * there is no such option; otherwise returns only in vain. argv: behind `wrap`. */
int wrap_translate(const struct options *o, const struct paths *p, struct arena *a, int argc, char **argv,
                   struct error *err);
