#include "base/lever.h"

#include <stdio.h>

#include "base/path.h"

#define LEVER_PATH_MAX 520u /* WATCH_TEXT_MAX, and a slash */

/* Behind /proc/self/ or /proc/PID/: what follows; else NULL. */
static const char *in_process(const char *path, bool *ret_is_other)
{
    if (!str_starts(path, "/proc/"))
        return NULL;
    path += strlen("/proc/");
    const size_t digits = strspn(path, "0123456789");
    *ret_is_other = digits > 0;
    if (digits && path[digits] == '/')
        return path + digits;
    if (str_starts(path, "self/"))
        return path + strlen("self");
    return str_starts(path, "thread-self/") ? path + strlen("thread-self") : NULL;
}

bool is_lever(const char *path)
{
    static const char *const starts[] = {
        "/etc/",       "/proc/sys/",     "/proc/sysrq-trigger", "/sys/",         "/dev/mem",         "/dev/kmem",
        "/dev/kcore",  "/proc/kcore",    "/dev/port",           "/proc/acpi/",   "/proc/irq/",       "/root/.ssh/",
        "/root/.bash", "/root/.profile", "/var/spool/cron/",    "/lib/systemd/", "/usr/lib/systemd/"
    };
    static const char *const ends[] = { "/release_agent", "/notify_on_release", "/uevent_helper",       "/core_pattern",
                                        "/uid_map",       "/gid_map",           "/binfmt_misc/register" };
    /* /etc/.pwd.lock and /etc/mtab are opened by tools of old that write nothing */
    static const char *const harmless[] = { "/etc/.pwd.lock", "/etc/mtab", "/etc/utmp", "/etc/wtmp" };
    char whole[LEVER_PATH_MAX], plain[LEVER_PATH_MAX];
    bool is_other = false;
    const int n = snprintf(whole, sizeof whole, "/%s", path); /* also where its directory could not be told */
    if (!path_fold(whole, (size_t)n, plain, sizeof plain))
        return true; /* longer than what is told of any path */
    const char *p = plain, *inner;
    while ((inner = in_process(p, &is_other)) && str_starts(inner, "/root/"))
        p = inner + strlen("/root");
    for (size_t i = 0; i < ARRAY_LEN(harmless); i++)
        if (str_eq(p, harmless[i]))
            return false;
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (str_starts(p, starts[i]))
            return true;
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends(p, ends[i]))
            return true;
    /* the memory of others; /proc/self/mem is a debugger's way to itself */
    return inner && ((is_other && str_ends(inner, "/mem")) || str_ends(inner, "/setgroups"));
}
