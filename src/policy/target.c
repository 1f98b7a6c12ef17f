#include "policy/target.h"

#include "base/path.h"

#define HOME_KEYS "/.ssh/authorized_keys"

static const char *const targets[] = {
    "/etc/passwd",     "/etc/shadow",        "/etc/gshadow", "/etc/group",    "/etc/sudoers",       "/etc/cron",
    "/var/spool/cron", "/etc/anacrontab",    "/root/.ssh",   HOME_KEYS,       "/etc/ld.so.preload", "/etc/ld.so.conf",
    "/etc/systemd/",   "/lib/systemd/",      "/etc/init.d/", "/etc/rc.local", "/etc/profile",       "/etc/bash.bashrc",
    "/root/.bashrc",   "/root/.profile",     "/etc/pam.d/",  "/etc/ssh/",     "/proc/sys/kernel/",  "/etc/hosts.allow",
    "/etc/inittab",    "/proc/sysrq-trigger"
};

const char *target_in(const char *text)
{
    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        if (strstr(text, targets[i]))
            return targets[i];
    return NULL;
}

const char *target_of(const char *path)
{
    char plain[512];
    if (*path != '/' || !path_fold(path, strlen(path), plain, sizeof plain))
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        if (str_starts(plain, targets[i]))
            return targets[i];
    const char *home = str_starts(plain, "/home/") ? strchr(plain + 6, '/') : NULL;
    return home && str_eq(home, HOME_KEYS) ? HOME_KEYS : NULL;
}
