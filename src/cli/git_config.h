/* git_config.h - a configuration of git's, read as git reads it (git-config(1), «Syntax»). */
#pragma once
#include "base/base.h"

struct git_setting {
    const char *section, *of, *key; /* section and key in lower case; of: its subsection, or "" */
    const char *value;              /* "" also where there is none */
};

/* Calls each() for every setting. What it returns other than 0 ends it and is returned. -EBADMSG: git refuses such a
 * text; -EMSGSIZE: a name or a value is too long. */
int git_config_read(const char *text, size_t size, int (*each)(void *context, const struct git_setting *s),
                    void *context);
/* One that names no program and no file: what clone, init, submodule and worktree write. */
bool git_setting_is_plain(const struct git_setting *s);
