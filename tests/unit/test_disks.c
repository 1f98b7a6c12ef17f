/* Which disks lie behind a sandbox's directories. */
#include "launch/disks.h"
#include "test.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

static bool has(const struct disks *d, uint32_t major, uint32_t minor)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->list[i].major == major && d->list[i].minor == minor)
            return true;
    return false;
}

TEST(disks_mountinfo)
{
    char text[] = "22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                  "not a line\n"
                  "27 1 254:3 / /with\\040blank rw shared:1 master:2 - ext4 /dev/vda3 rw\n"
                  "30 1 x:y / /odd rw - ext4 /dev/vda3 rw\n"
                  "31 27 0:44 /sub /mnt\\134x rw - fuse.sshfs a@b:/c rw";
    char *cursor = text;
    struct mount_row row;
    CHECK(mount_row_next(&cursor, &row) && row.major == 0 && row.minor == 21);
    CHECK(str_eq(row.point, "/proc") && str_eq(row.type, "proc"));
    CHECK(mount_row_next(&cursor, &row) && row.major == 254 && row.minor == 3);
    CHECK(str_eq(row.point, "/with blank") && str_eq(row.type, "ext4"));
    CHECK(mount_row_next(&cursor, &row) && row.minor == 44);
    CHECK(str_eq(row.point, "/mnt\\x") && str_eq(row.type, "fuse.sshfs"));
    CHECK(!mount_row_next(&cursor, &row));
}

TEST(disks_kinds)
{
    static const char *const memory[] = { "tmpfs", "ramfs", "proc" }, *const layered[] = { "btrfs", "overlay", NULL },
                             *const foreign[] = { "nfs4", "9p", "fuse.sshfs", "zfs", "virtiofs", "cifs" };
    for (size_t i = 0; i < ARRAY_LEN(memory); i++)
        CHECK_EQ(disks_kind_of(memory[i]), DISK_NONE);
    for (size_t i = 0; i < ARRAY_LEN(layered); i++)
        CHECK_EQ(disks_kind_of(layered[i]), DISK_ANY);
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++)
        CHECK_EQ(disks_kind_of(foreign[i]), DISK_FOREIGN);
}

static struct shape with(uint8_t kind, const char *source, dev_t dev, uint32_t flags)
{
    struct shape s = { .mount_count = 1 };
    s.mounts[0] = (struct plan_mount){ .kind = kind, .source = source, .target = "/x", .dev = dev, .flags = flags };
    return s;
}

/* A partition is its whole disk: of each partition of this machine sysfs says whose it is. */
TEST(disks_of_a_device)
{
    struct disks d;
    struct stat st;
    CHECK_EQ(stat("/usr", &st), 0);
    struct shape s = with(MOUNT_BIND, "/usr", 0, MOUNT_RO);
    disks_find(&s, &d);
    CHECK(!d.is_written);
    for (uint32_t i = 0; i < d.count; i++) {
        char path[96];
        (void)snprintf(path, sizeof path, "/sys/dev/block/%u:%u/partition", d.list[i].major, d.list[i].minor);
        CHECK(access(path, F_OK) < 0);
    }
    if (major(st.st_dev) != 0 && d.lacking[0] == '\0')
        CHECK_EQ(d.count, 1u);
    s = with(MOUNT_VOLUME, "/nowhere", makedev(4000, 7), 0); /* not in sysfs: taken as it is */
    disks_find(&s, &d);
    CHECK(has(&d, 4000, 7) && d.is_written && d.count == 1);
    s.mounts[0].flags = MOUNT_RO;
    disks_find(&s, &d);
    CHECK(has(&d, 4000, 7) && !d.is_written);
}

/* /proc is memory; a number that no line of mountinfo has may be a subvolume of any disk. */
TEST(disks_without_a_device)
{
    struct disks d, all;
    struct stat st;
    if (getenv("SANDBOX_TEST_EMULATED"))
        SKIP("the emulator has a /proc of its own, on a disk");
    CHECK_EQ(stat("/proc", &st), 0);
    struct shape s = with(MOUNT_VOLUME, "/nowhere", st.st_dev, 0);
    disks_find(&s, &d);
    CHECK(d.count == 0 && !d.is_written && d.lacking[0] == '\0');
    s = with(MOUNT_VOLUME, "/nowhere", makedev(0, 999999), 0);
    disks_find(&s, &all);
    CHECK(all.is_written);
    s = with(MOUNT_BIND, "/usr", 0, MOUNT_RO);
    disks_find(&s, &d);
    for (uint32_t i = 0; i < d.count && access("/sys/block", R_OK) == 0; i++)
        CHECK(has(&all, d.list[i].major, d.list[i].minor));
}
