/* disks.h - the disks behind what a sandbox can read or write, for the limits of resources.io.
 *
 * A limit is the kernel's per device and per cgroup, and takes whole disks: a partition counts as the disk that it lies
 * on. A device-mapper or md device counts as itself: its limit holds a process back before the request is split up.
 * File systems with a device number of their own (btrfs, overlay) do not say what they lie on, so where one is mounted
 * every disk of the machine is limited. Memory needs no limit here. What has neither disk nor memory (NFS, 9p, FUSE,
 * ZFS, which the controller does not see) cannot be limited, and is named.
 *
 * Only system directories are looked up by name (check.c); a volume's device is the one that its client saw, so no file
 * system of a user's makes the launcher wait.
 */
#pragma once
#include "plan/plan.h"

#define DISKS_MAX 64

struct disks {
    uint32_t count;
    struct disk {
        uint32_t major, minor;
    } list[DISKS_MAX];
    bool is_written;  /* a volume that may be written lies on one of them */
    char lacking[80]; /* "" or what cannot be limited */
};

void disks_find(const struct shape *s, struct disks *ret);

/* For disks_find() and its tests. */

enum disk_kind { DISK_NONE /* memory */, DISK_ANY /* below it is a disk that we cannot name */, DISK_FOREIGN };
/* What a file system with a device number of its own lies on, by its type in /proc/self/mountinfo; NULL: not there. */
enum disk_kind disks_kind_of(const char *type);

struct mount_row {
    uint32_t major, minor;
    const char *point, *type;
};
/* Takes the next line of mountinfo apart, in place. False: there is none. */
bool mount_row_next(char **text, struct mount_row *ret);
