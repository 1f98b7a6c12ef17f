#include "launch/disks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "base/parse.h"

#define MOUNTINFO_MAX (1024u * 1024u)

/* --- one device ------------------------------------------------------------------------------ */

static void add(struct disks *d, uint32_t major, uint32_t minor)
{
    for (uint32_t i = 0; i < d->count; i++)
        if (d->list[i].major == major && d->list[i].minor == minor)
            return;
    if (d->count == DISKS_MAX)
        (void)snprintf(d->lacking, sizeof d->lacking, "more than %d disks", DISKS_MAX);
    else
        d->list[d->count++] = (struct disk){ major, minor };
}

static bool read_small(const char *path, char *ret, size_t size)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);
    ret[MAX_OF(n, 0)] = '\0';
    return n > 0;
}

/* «254:0», up to a blank or the end */
static bool read_device(const char *text, uint32_t *ret_major, uint32_t *ret_minor)
{
    char number[2][16];
    uint64_t value[2];
    for (size_t i = 0; i < 2; i++) {
        size_t n = strspn(text, "0123456789");
        if (n == 0 || n >= sizeof number[i])
            return false;
        memcpy(number[i], text, n);
        number[i][n] = '\0';
        text += n + (i == 0 && text[n] == ':');
        if (parse_u64(number[i], &value[i]) < 0 || value[i] > UINT32_MAX)
            return false;
    }
    *ret_major = (uint32_t)value[0];
    *ret_minor = (uint32_t)value[1];
    return true;
}

/* Where sysfs is not there the number is taken as it is; a partition's is then refused by the kernel, and that told. */
static void add_disk_of(struct disks *d, uint32_t major, uint32_t minor)
{
    char path[64], text[32];
    (void)snprintf(path, sizeof path, "/sys/dev/block/%u:%u/partition", major, minor);
    if (access(path, F_OK) == 0) {
        (void)snprintf(path, sizeof path, "/sys/dev/block/%u:%u/../dev", major, minor);
        if (read_small(path, text, sizeof text))
            (void)read_device(text, &major, &minor);
    }
    add(d, major, minor);
}

static void add_all(struct disks *d)
{
    DIR *dir = opendir("/sys/block");
    if (!dir) {
        (void)snprintf(d->lacking, sizeof d->lacking, "/sys/block cannot be read");
        return;
    }
    for (struct dirent *e; (e = readdir(dir));) {
        char path[320], size[32], text[32];
        uint32_t major, minor;
        if (e->d_name[0] == '.' || str_starts(e->d_name, "ram") || str_starts(e->d_name, "zram"))
            continue;
        (void)snprintf(path, sizeof path, "/sys/block/%s/size", e->d_name);
        if (!read_small(path, size, sizeof size) || size[0] == '0') /* a loop device without a file */
            continue;
        (void)snprintf(path, sizeof path, "/sys/block/%s/dev", e->d_name);
        if (read_small(path, text, sizeof text) && read_device(text, &major, &minor))
            add(d, major, minor);
    }
    (void)closedir(dir);
}

/* --- the table of mounts ----------------------------------------------------------------------- */

enum disk_kind disks_kind_of(const char *type)
{
    static const char *const memory[] = { "tmpfs",      "ramfs",    "devtmpfs", "proc",        "sysfs",
                                          "cgroup",     "cgroup2",  "devpts",   "mqueue",      "hugetlbfs",
                                          "securityfs", "debugfs",  "tracefs",  "bpf",         "nsfs",
                                          "pstore",     "configfs", "efivarfs", "binfmt_misc", "autofs" };
    static const char *const layered[] = { "btrfs", "overlay", "bcachefs", "ecryptfs", "aufs" };
    if (!type) /* a subvolume of btrfs has a number that no line shows */
        return DISK_ANY;
    for (size_t i = 0; i < ARRAY_LEN(memory); i++)
        if (str_eq(type, memory[i]))
            return DISK_NONE;
    for (size_t i = 0; i < ARRAY_LEN(layered); i++)
        if (str_eq(type, layered[i]))
            return DISK_ANY;
    return DISK_FOREIGN;
}

/* «\040» is a blank, in place */
static void unescape(char *s)
{
    char *out = s;
    for (; *s; s++) {
        bool is_octal = *s == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' && s[3] >= '0' &&
                        s[3] <= '7';
        *out++ = is_octal ? (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0')) : *s;
        s += is_octal ? 3 : 0;
    }
    *out = '\0';
}

/* 36 35 98:0 /root /point options [optional ...] - type source options */
bool mount_row_next(char **text, struct mount_row *ret)
{
    while (**text) {
        char *line = *text, *end = line + strcspn(line, "\n"), *word[5];
        *text = end + (*end == '\n');
        *end = '\0';
        char *dash = strstr(line, " - ");
        if (!dash)
            continue;
        *dash = '\0';
        size_t words = 0;
        for (char *p = line; p && words < ARRAY_LEN(word);)
            word[words++] = strsep(&p, " ");
        if (words < ARRAY_LEN(word) || !read_device(word[2], &ret->major, &ret->minor))
            continue;
        ret->type = dash + 3;
        dash[3 + strcspn(dash + 3, " ")] = '\0';
        unescape(word[4]);
        ret->point = word[4];
        return true;
    }
    return false;
}

/* Caller frees. NULL: it cannot be read. */
static char *read_mounts(void)
{
    cleanup(closep) int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    size_t used = 0, size = 16384;
    char *text = fd < 0 ? NULL : malloc(size);
    while (text) {
        ssize_t n = read(fd, text + used, size - used - 1);
        if (n <= 0) {
            text[used] = '\0';
            return text;
        }
        used += (size_t)n;
        if (size - used > 4096)
            continue;
        char *larger = size < MOUNTINFO_MAX ? realloc(text, size * 2) : NULL;
        if (!larger) {
            free(text);
            return NULL;
        }
        text = larger;
        size *= 2;
    }
    return NULL;
}

/* --- all of a shape ------------------------------------------------------------------------------ */

#define SOURCES_MAX 16 /* different file systems among the sources; as a rule one or two */
struct sources {
    uint32_t count;
    struct source {
        uint32_t major, minor;
        bool is_found, is_memory, is_written;
    } list[SOURCES_MAX];
    bool has_volumes, has_anonymous, is_too_many;
};

static void add_source(struct sources *s, dev_t dev, bool is_written)
{
    for (uint32_t i = 0; i < s->count; i++) {
        struct source *known = &s->list[i];
        if (known->major == major(dev) && known->minor == minor(dev)) {
            known->is_written |= is_written;
            return;
        }
    }
    s->is_too_many |= s->count == SOURCES_MAX;
    if (s->count < SOURCES_MAX)
        s->list[s->count++] = (struct source){ major(dev), minor(dev), false, false, is_written };
    s->has_anonymous |= major(dev) == 0;
}

static void find_sources(const struct shape *s, struct sources *ret)
{
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        struct stat st;
        if (m->kind == MOUNT_VOLUME) {
            ret->has_volumes = true;
            add_source(ret, (dev_t)m->dev, !(m->flags & MOUNT_RO));
        } else if (m->kind == MOUNT_BIND && stat(m->source, &st) == 0) {
            add_source(ret, st.st_dev, false);
        }
    }
}

static bool is_below(const char *path, const char *dir)
{
    size_t n = strlen(dir);
    return strncmp(path, dir, n) == 0 && path[n] == '/';
}

/* What is mounted below a source comes along with it. */
static bool comes_along(const struct shape *s, const struct mount_row *row, bool *ret_is_written)
{
    bool comes = false;
    for (uint32_t i = 0; i < s->mount_count; i++) {
        const struct plan_mount *m = &s->mounts[i];
        if ((m->kind != MOUNT_VOLUME && m->kind != MOUNT_BIND) || !is_below(row->point, m->source))
            continue;
        comes = true;
        *ret_is_written |= m->kind == MOUNT_VOLUME && !(m->flags & MOUNT_RO);
    }
    return comes;
}

static bool note_source(struct sources *from, const struct mount_row *row, enum disk_kind kind)
{
    for (uint32_t i = 0; i < from->count; i++) {
        struct source *s = &from->list[i];
        if (s->major == row->major && s->minor == row->minor) {
            s->is_found = true;
            s->is_memory = row->major == 0 && kind == DISK_NONE;
            return true;
        }
    }
    return false;
}

static void add_row(struct disks *d, const struct mount_row *row, enum disk_kind kind, bool *all)
{
    if (row->major != 0)
        add_disk_of(d, row->major, row->minor);
    else if (kind == DISK_FOREIGN)
        (void)snprintf(d->lacking, sizeof d->lacking, "a file system of type %.40s", row->type);
    *all |= row->major == 0 && kind == DISK_ANY;
}

static void look_through_mounts(const struct shape *s, struct sources *from, struct disks *ret, bool *all)
{
    char *text = read_mounts(), *cursor = text;
    struct mount_row row;
    if (!text) {
        (void)snprintf(ret->lacking, sizeof ret->lacking, "the table of mounts cannot be read");
        return;
    }
    while (mount_row_next(&cursor, &row)) {
        enum disk_kind kind = disks_kind_of(row.type);
        bool is_written = false, is_source = note_source(from, &row, kind);
        if (!comes_along(s, &row, &is_written) && !is_source)
            continue;
        add_row(ret, &row, kind, all);
        ret->is_written |= is_written && (row.major != 0 || kind != DISK_NONE);
    }
    free(text);
}

void disks_find(const struct shape *s, struct disks *ret)
{
    struct sources from = { 0 };
    bool all = false;
    *ret = (struct disks){ 0 };
    find_sources(s, &from);
    if (from.is_too_many)
        all = true;
    if (from.has_volumes || from.has_anonymous)
        look_through_mounts(s, &from, ret, &all);
    for (uint32_t i = 0; i < from.count; i++) {
        const struct source *source = &from.list[i];
        if (source->major != 0)
            add_disk_of(ret, source->major, source->minor);
        all |= source->major == 0 && !source->is_found;
        ret->is_written |= source->is_written && !source->is_memory;
    }
    if (all)
        add_all(ret);
}
