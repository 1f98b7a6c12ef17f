#include "policy/target.h"

const char *target_in(const char *text)
{
    static const char *const targets[] = {
        "/etc/passwd",        "/etc/shadow",     "/etc/gshadow",      "/etc/group",       "/etc/sudoers",
        "/etc/cron",          "/var/spool/cron", "/etc/anacrontab",   "/root/.ssh",       "/.ssh/authorized_keys",
        "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/systemd/",     "/lib/systemd/",    "/etc/init.d/",
        "/etc/rc.local",      "/etc/profile",    "/etc/bash.bashrc",  "/root/.bashrc",    "/root/.profile",
        "/etc/pam.d/",        "/etc/ssh/",       "/proc/sys/kernel/", "/etc/hosts.allow", "/etc/inittab",
        "/proc/sysrq-trigger"
    };
    for (size_t i = 0; i < ARRAY_LEN(targets); i++)
        if (strstr(text, targets[i]))
            return targets[i];
    return NULL;
}
