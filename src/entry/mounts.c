/* mounts.c - the mount table as it is in here, but for what nothing can be had through.
 *
 * Left out: /dev/null, a read-only directory that is empty and stays so (both are how engines hide things, a hundred
 * times where an image has many programs), and what lies covered by another mount: no process in here may take the
 * cover off. All else is told, known or not: who asked for what is the host's to say.
 */
#include "entry/entry.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>

#define NULL_DEVICE  makedev(1, 3)
#define STATFS_VALID 0x20 /* ST_VALID of linux/statfs.h, which no C library has: f_flags are set */

/* --- a line --------------------------------------------------------------------------------------- */

/* Space, tab, newline and backslash come as \ooo. In place: it only shrinks. */
static char *unescape(char *s)
{
    char *to = s;
    for (const char *p = s; *p; to++) {
        bool is_octal = p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && strspn(p + 2, "01234567") >= 2;
        *to = is_octal ? (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0')) : *p;
        p += is_octal ? 4 : 1;
    }
    *to = '\0';
    return s;
}

static bool lists_ro(const char *options)
{
    return str_eq(options, "ro") || str_starts(options, "ro,"); /* the kernel writes it first, and gVisor does */
}

static bool lists_noexec(const char *options)
{
    const char *at = strstr(options, ",noexec"); /* never the first: ro or rw is */
    return at && strchr(",", at[strlen(",noexec")]);
}

/* 36 35 98:0 /root /point options optional... - type source super-options   (proc(5)) */
int mountinfo_next(char **cursor, struct mountinfo *ret)
{
    char *line = strsep(cursor, "\n");
    if (!line || (!*line && !*cursor)) /* nothing, or the end of the last line */
        return 0;
    char *tail = strstr(line, " - ");
    if (!tail)
        return -EBADMSG;
    *tail = '\0';
    tail += 3;
    char *words[6], *type = strsep(&tail, " ");
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (!(words[i] = strsep(&line, " ")) || !*words[i])
            return -EBADMSG;
    if (!tail || !*type || words[4][0] != '/')
        return -EBADMSG;
    (void)strsep(&tail, " "); /* the source, a name that any user may choose; it may be empty */
    if (!tail)
        return -EBADMSG;
    *ret = (struct mountinfo){ .root = unescape(words[3]),
                               .point = unescape(words[4]),
                               .type = unescape(type),
                               .is_super_readonly = lists_ro(tail) };
    ret->is_readonly = ret->is_super_readonly || lists_ro(words[5]);
    ret->is_noexec = lists_noexec(words[5]);
    return 1;
}

/* --- what lies there ------------------------------------------------------------------------------ */

bool is_empty_directory(const char *path)
{
    DIR *d = opendir(path);
    if (!d)
        return false;
    int count = 0;
    errno = 0;
    for (struct dirent *i; (i = readdir(d));)
        count += !str_eq(i->d_name, ".") && !str_eq(i->d_name, "..");
    bool is_read = errno == 0;
    (void)closedir(d);
    return is_read && count == 0;
}

/* A file system that no process can write, or the directory that crun keeps for this. Read-only as a mount alone, a
 * process else might fill it later. */
static bool stays_as_it_is(const struct mountinfo *l)
{
    const char *name = strrchr(l->root, '/');
    return l->is_readonly &&
           ((l->is_super_readonly && str_eq(l->type, "tmpfs")) || (name && str_eq(name, "/.empty-directory")));
}

/* False: nothing can be had through it. */
static bool look(const struct mountinfo *l, struct entry_mount *ret)
{
    struct stat st = { 0 };
    *ret = (struct entry_mount){ .point = l->point, .type = l->type, .root = l->root, .is_readonly = l->is_readonly };
    if (lstat(l->point, &st) < 0)
        return errno != ENOENT && errno != ENOTDIR; /* covered; other errors may be otherwise for others */
    ret->dev = st.st_dev;
    ret->ino = st.st_ino;
    if (S_ISCHR(st.st_mode))
        return st.st_rdev != NULL_DEVICE;
    return !(S_ISDIR(st.st_mode) && stays_as_it_is(l) && is_empty_directory(l->point));
}

/* --- the table ------------------------------------------------------------------------------------ */

/* Is /proc what it is called, and of our own processes? Another one tells of other mounts. */
static bool is_own_proc(int fd)
{
    char self[16] = "", pid[16];
    struct statfs fs;
    (void)snprintf(pid, sizeof pid, "%d", (int)getpid());
    if (fstatfs(fd, &fs) < 0 && (errno != ENOSYS || statfs("/proc", &fs) < 0)) /* gVisor tells it of directories only */
        return false;
    return fs.f_type == PROC_SUPER_MAGIC && readlink("/proc/self", self, sizeof self - 1) > 0 && str_eq(self, pid);
}

/* All of it and a NUL, or false. */
static bool read_table(char *text, size_t size)
{
    cleanup(closep) int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    size_t done = 0;
    ssize_t n = fd < 0 || !is_own_proc(fd) ? -1 : 1;
    while (n > 0 && done < size && (n = read(fd, text + done, size - done)) > 0)
        done += (size_t)n;
    if (n != 0 || done == 0 || done >= size || memchr(text, '\0', done))
        return false;
    text[done] = '\0';
    return true;
}

static bool add(struct entry_facts *f, const struct entry_mount *m, size_t *bytes)
{
    *bytes += strlen(m->point) + strlen(m->type) + strlen(m->root);
    if (f->mount_count == ENTRY_MAX_MOUNTS || *bytes > ENTRY_MAX_MOUNT_BYTES)
        return false;
    f->mounts[f->mount_count++] = *m;
    return true;
}

/* gVisor's statfs(2) tells no flags, its table does. */
static bool is_statfs_silent(void)
{
    struct statfs fs;
    return statfs("/", &fs) == 0 && !(fs.f_flags & STATFS_VALID);
}

/* Of two mounts at one place the later one is what is seen. */
static void take_flags(struct entry_facts *f, const struct strlist *probes, const struct mountinfo *l)
{
    uint32_t i = 0;
    if (str_eq(l->point, "/"))
        f->is_root_readonly = l->is_readonly;
    STRLIST_FOREACH(path, probes)
    {
        struct entry_probe *p = &f->probes[i++];
        if (!p->error && str_eq(l->point, path)) {
            p->is_readonly = l->is_readonly;
            p->is_noexec = l->is_noexec;
        }
    }
}

void mounts_gather(struct entry_facts *f, const struct strlist *probes, char *text, size_t size)
{
    struct mountinfo line;
    struct entry_mount m;
    size_t bytes = 0;
    const bool is_silent = is_statfs_silent();
    int r = read_table(text, size) ? 1 : -ENODATA;
    while (r > 0 && (r = mountinfo_next(&text, &line)) > 0) {
        if (is_silent)
            take_flags(f, probes, &line);
        if (look(&line, &m) && !add(f, &m, &bytes))
            r = -E2BIG;
    }
    f->are_mounts_whole = r == 0;
}
