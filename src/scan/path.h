/* path.h - what a path says when its detours are taken out: /usr/../etc//shadow, /proc/self/root/etc/shadow and
 * /e??/sh?d?w are /etc/shadow. Texts, not files: nothing is looked up.
 */
#pragma once
#include "base/base.h"

#define PATH_TEXT_MAX 512u

/* One path: without «./», «//», «x/..» and the roots below /proc. False: too long, or nothing is left. */
bool path_normalise(const char *path, size_t size, char ret[static PATH_TEXT_MAX]);
/* Each path in a text, of which there may be several (a command's line); a pattern that leads to a sensitive file is
 * that file. False: there is nothing to change, or it does not fit. */
bool path_plain(const char *text, char *ret, size_t ret_size);
