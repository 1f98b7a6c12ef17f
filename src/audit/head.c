#include "audit/head.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/dir.h"

static const char magic[8] = "audhead1";
struct record { /* read by the same build on the same machine: native order */
    char magic[8];
    struct audit_head head;
    uint64_t check;
};

/* FNV-1a: for accidents. Against an attacker who writes here there is the signature. */
static uint64_t check_of(const struct record *r)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    const unsigned char *p = (const unsigned char *)r;
    for (size_t i = 0; i < offsetof(struct record, check); i++)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

int head_open(int key_dir, const char *log_dir, bool may_create)
{
    char hash[AUDIT_HASH_SIZE], name[40];
    audit_hash(log_dir, strlen(log_dir), hash);
    (void)snprintf(name, sizeof name, "audit-%.16s.head", hash);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(key_dir);
    int fd = openat(key_dir, name, (may_create ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                    0600);
    struct stat st;
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || (may_create && !dir_owns(key_dir, &st))) {
        (void)close(fd);
        return -EPERM;
    }
    return fd;
}

int head_read(int fd, struct audit_head *ret)
{
    struct record r;
    ssize_t n = pread(fd, &r, sizeof r, 0);
    if (n < 0)
        return -errno;
    if (n != (ssize_t)sizeof r || memcmp(r.magic, magic, sizeof magic) != 0 || r.check != check_of(&r) ||
        r.head.hash[AUDIT_HASH_SIZE - 1])
        return 0;
    *ret = r.head;
    return 1;
}

int head_write(int fd, const struct audit_head *h)
{
    struct record r;
    memset(&r, 0, sizeof r); /* padding is written, too */
    memcpy(r.magic, magic, sizeof magic);
    r.head = *h;
    r.check = check_of(&r);
    ssize_t n = pwrite(fd, &r, sizeof r, 0);
    return n == (ssize_t)sizeof r ? 0 : n < 0 ? -errno : -ENOSPC;
}
