/* paths.h - where things are: our own files beside the executable, the user's by XDG, the system's by contract. */
#pragma once
#include "base/arena.h"
#include "base/dirs.h"

struct paths {
    const char *libexec;                     /* sandbox-launcher, sandbox-policy */
    const char *data;                        /* profiles/, guards/ */
    const char *system_config, *user_config; /* user_config may be NULL */
    const char *cache;                       /* policy and compile cache; NULL: nowhere */
    const char *state; /* state.db, the audit's key and heads, unless the configuration says otherwise; NULL: nowhere */
    const char *log;   /* where logs go unless the configuration says otherwise; NULL: nowhere */
};

/* PREFIX/bin/sandbox-agent -> PREFIX/libexec/sandbox-agent, PREFIX/share/sandbox-agent; the build
 * directory has the same shape. -errno when /proc/self/exe cannot be read. */
int paths_find(struct arena *a, struct paths *ret);
