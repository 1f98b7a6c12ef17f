#include "run/paths.h"

#include <fcntl.h>
#include <stdio.h>

static const char *user_dir(struct arena *a, const char *variable, const char *below_home)
{
    const char *dir = getenv(variable), *home = getenv("HOME");
    if (dir && dir[0] == '/')
        return arena_printf(a, "%s/sandbox-agent", dir);
    if (home && home[0] == '/')
        return arena_printf(a, "%s/%s/sandbox-agent", home, below_home);
    return NULL;
}

int paths_find(struct arena *a, struct paths *ret)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n < 0)
        return -errno;
    exe[n] = '\0';
    for (int level = 0; level < 2; level++) { /* PREFIX/bin/sandbox-agent */
        char *slash = strrchr(exe, '/');
        if (slash)
            *slash = '\0';
    }
    bool is_root = geteuid() == 0;
    ret->libexec = arena_printf(a, "%s/libexec/sandbox-agent", exe);
    ret->data = arena_printf(a, "%s/share/sandbox-agent", exe);
    ret->system_config = "/etc/sandbox-agent/config.yaml";
    const char *config = user_dir(a, "XDG_CONFIG_HOME", ".config");
    ret->user_config = config ? arena_printf(a, "%s/config.yaml", config) : NULL;
    ret->cache = is_root && !getenv("XDG_CACHE_HOME") ? "/var/cache/sandbox-agent"
                                                      : user_dir(a, "XDG_CACHE_HOME", ".cache");
    const char *state = user_dir(a, "XDG_STATE_HOME", ".local/state");
    ret->state = is_root && !getenv("XDG_STATE_HOME") ? "/var/lib/sandbox-agent" : state;
    ret->log = state ? arena_printf(a, "%s/log", state) : NULL;
    return 0;
}
