/* maps.c - which host ids stand behind the sandbox's: never root's, and never another live sandbox's.
 *
 * Started by root, each sandbox gets a host uid of its own, 0x70000000 + pid * 64 + number % 64: systemd's
 * UIDS-GIDS.md lists 0x70000000..0x7fffffff as unused, and per-uid kernel limits (pending signals, inotify,
 * keys) are then per sandbox. The pid is that of the sandbox's first process: as long as it lives no other process has
 * it, of this launcher or of another one, however many there are. Started by an ordinary user it is that user's own.
 */
#include "launch/run.h"

#include <fcntl.h>
#include <stdio.h>

#define HOST_UID_BASE   0x70000000u
#define NESTED_UID_BASE 60000u /* where a container maps only 65536 ids */

static int write_map(int dir, const char *file, const char *text)
{
    cleanup(closep) int fd = openat(dir, file, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        return -errno;
    return 0;
}

static int write_both(int dir, const struct shape *s, uint32_t uid, uint32_t gid)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%u %u 1", s->uid, uid);
    int r = write_map(dir, "uid_map", text);
    if (r < 0)
        return r;
    (void)snprintf(text, sizeof text, "%u %u 1", s->gid, gid);
    return write_map(dir, "gid_map", text);
}

int maps_write(const struct launcher *l, pid_t pid, const struct shape *s, unsigned number, uint32_t *ret_host_uid,
               struct error *err)
{
    char path[32];
    (void)snprintf(path, sizeof path, "/proc/%d", (int)pid);
    cleanup(closep) int dir = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return err_set(err, -errno, BLAME_HOST, "IDENTITY", "open %s: %m", path);
    uint32_t uid = (uint32_t)geteuid(), gid = (uint32_t)getegid();
    int r;
    if (l->is_root) {
        uid = gid = HOST_UID_BASE + ((uint32_t)pid << 6) + number % 64;
        r = write_both(dir, s, uid, gid);
        if (r < 0) {
            uid = gid = NESTED_UID_BASE + ((uint32_t)pid * 7 + number) % 5000;
            r = write_both(dir, s, uid, gid);
        }
    } else {
        r = write_map(dir, "setgroups", "deny");
        if (r == 0)
            r = write_both(dir, s, uid, gid);
    }
    if (r < 0) {
        (void)err_set(err, r, BLAME_HOST, "IDENTITY", "map uid %u to host uid %u: %s", s->uid, uid, strerror(-r));
        return err_remedy(err, "see `sandbox-agent doctor`: user namespaces may be restricted here");
    }
    *ret_host_uid = uid;
    return 0;
}
