#include "audit/key.h"

#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <sys/stat.h>
#include "audit/chain.h"
#include "audit/dir.h"
#include "base/clock.h"

#define SEEN_FOR_MS 1000u

void key_done(struct audit_key *k)
{
    sodium_memzero(k, sizeof *k);
}

static int key_from_seed(const char *text, ssize_t size, struct audit_key *ret)
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    if (size != 65 || text[64] != '\n' || hex_read(text, seed, sizeof seed) < 0)
        return -EBADMSG;
    (void)crypto_sign_seed_keypair(ret->public, ret->secret, seed); /* always 0, and needs no sodium_init() */
    sodium_memzero(seed, sizeof seed);
    return 0;
}

/* A private key that others may read or write is none. */
static bool is_private(int dir, const struct stat *st)
{
    return S_ISREG(st->st_mode) && (dir_owns(dir, st) || st->st_uid == 0) && !(st->st_mode & 077);
}

static int key_read(int dir, const char *name, struct audit_key *ret)
{
    char text[80];
    struct stat st;
    cleanup(closep) int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !is_private(dir, &st))
        return -EPERM;
    ssize_t n = read(fd, text, sizeof text);
    int e = key_from_seed(text, n, ret);
    sodium_memzero(text, sizeof text);
    return e;
}

static int write_new(int dir, const char *name, unsigned mode, const char *text)
{
    cleanup(closep) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0)
        return -errno;
    size_t size = strlen(text);
    if (write(fd, text, size) != (ssize_t)size || fsync(fd) < 0) {
        int e = errno ? errno : ENOSPC;
        (void)unlinkat(dir, name, 0);
        return -e;
    }
    return 0;
}

static int make_seed(char text[static 66])
{
    uint8_t seed[crypto_sign_SEEDBYTES];
    if (sodium_init() < 0) /* the one place that needs random numbers */
        return -EIO;
    randombytes_buf(seed, sizeof seed);
    hex_write(seed, sizeof seed, text);
    text[64] = '\n';
    text[65] = '\0';
    sodium_memzero(seed, sizeof seed);
    return 0;
}

/* Written aside and linked into place: no reader ever sees half a key, and of two makers the first wins. */
static int key_make(int dir)
{
    char text[66], aside[40];
    (void)snprintf(aside, sizeof aside, "audit.key.%d", (int)getpid());
    int e = make_seed(text);
    if (e < 0)
        return e;
    (void)unlinkat(dir, aside, 0); /* of a namesake that died here */
    e = write_new(dir, aside, 0600, text);
    sodium_memzero(text, sizeof text);
    if (e == 0 && linkat(dir, aside, dir, "audit.key", 0) < 0 && errno != EEXIST)
        e = -errno;
    (void)unlinkat(dir, aside, 0);
    return e;
}

/* For people and verify; the first line of each file has it, too. Renamed into place: half a key would be told as none.
 */
static void publish(int dir, const struct audit_key *k)
{
    char text[66], aside[40];
    (void)snprintf(aside, sizeof aside, "audit.pub.%d", (int)getpid());
    hex_write(k->public, sizeof k->public, text);
    text[64] = '\n';
    text[65] = '\0';
    (void)unlinkat(dir, aside, 0); /* of a namesake that died here */
    if (write_new(dir, aside, 0644, text) == 0 && renameat(dir, aside, dir, "audit.pub") < 0)
        (void)unlinkat(dir, aside, 0);
}

bool key_remedy_for_disk(int e, const char *dir_name, struct error *err)
{
    if (e == -ENOSPC || e == -EDQUOT)
        (void)err_remedy(err, "make room in the file system of %s (df %s; df -i %s), or set sandbox.paths.state_dir",
                         dir_name, dir_name, dir_name);
    else if (e == -EROFS || e == -EACCES)
        (void)err_remedy(err,
                         "make %s a directory that the user who runs sandbox-agent may write, or set "
                         "sandbox.paths.state_dir",
                         dir_name);
    else if (e == -EIO)
        (void)err_remedy(err, "the disk below %s fails: see dmesg", dir_name);
    else
        return false;
    return true;
}

static int say_bad(int e, const char *dir_name, struct error *err)
{
    (void)err_set(err, e, BLAME_HOST, "AUDIT", "the audit's key %s/audit.key: %s", dir_name,
                  e == -EPERM     ? "others may read it, or it belongs to another user"
                  : e == -EBADMSG ? "is damaged"
                                  : strerror(-e));
    if (key_remedy_for_disk(e, dir_name, err))
        return e;
    return err_remedy(
        err,
        "make it a file of mode 0600 that belongs to the user who runs sandbox-agent; a new key is made when it is "
        "absent, and then `audit verify` needs the old audit.pub as --public-key for what the old one signed");
}

static struct audit_key_file file_of(const struct stat *st)
{
    return (struct audit_key_file){ .dev = st->st_dev,
                                    .ino = st->st_ino,
                                    .at_ms = clock_ms(),
                                    .changed_s = st->st_ctim.tv_sec,
                                    .changed_ns = st->st_ctim.tv_nsec };
}

static bool is_same(const struct audit_key_file *a, const struct audit_key_file *b)
{
    return a->dev == b->dev && a->ino == b->ino && a->changed_s == b->changed_s && a->changed_ns == b->changed_ns;
}

int key_check(int key_dir, const char *dir_name, struct audit_key_file *ret, struct error *err)
{
    struct stat st;
    cleanup(dir_leave) struct dir_visit visit = dir_enter(key_dir);
    *ret = (struct audit_key_file){ 0 };
    if (fstatat(key_dir, "audit.key", &st, AT_SYMLINK_NOFOLLOW) < 0)
        return errno == ENOENT ? 0 : say_bad(-errno, dir_name, err); /* the first signature makes it */
    if (!is_private(key_dir, &st))
        return say_bad(-EPERM, dir_name, err);
    *ret = file_of(&st);
    return 0;
}

int key_load(int key_dir, const char *dir_name, struct audit_key *ret, struct error *err)
{
    cleanup(dir_leave) struct dir_visit visit = dir_enter(key_dir);
    int e = key_read(key_dir, "audit.key", ret);
    if (e == -ENOENT) {
        e = key_make(key_dir);
        if (e == 0)
            e = key_read(key_dir, "audit.key", ret);
    }
    if (e == 0) {
        uint8_t published[sizeof ret->public];
        if (key_read_public(key_dir, published) < 0) /* absent, or its writer died: half a key */
            publish(key_dir, ret);
        return 0;
    }
    return say_bad(e, dir_name, err);
}

int key_load_kept(struct key_kept *k, int key_dir, const char *dir_name, const struct audit_key_file *seen,
                  struct audit_key *ret, struct error *err)
{
    struct stat st = { 0 };
    struct audit_key_file now = *seen;
    int e = 0;
    if (!now.at_ms || clock_ms() - now.at_ms >= SEEN_FOR_MS) {
        e = fstatat(key_dir, "audit.key", &st, AT_SYMLINK_NOFOLLOW) < 0 ? -errno : 0;
        now = file_of(&st);
    }
    if (e == 0 && k->is_there && is_same(&k->file, &now)) {
        *ret = k->key;
        return 0;
    }
    key_forget(k);
    if ((e = key_load(key_dir, dir_name, ret, err)) < 0)
        return e;
    k->key = *ret; /* of the file that was looked at, or of a newer one: then the next look finds another */
    k->file = now;
    k->is_there = true;
    return 0;
}

void key_forget(struct key_kept *k)
{
    sodium_memzero(k, sizeof *k);
}

int key_read_public(int key_dir, uint8_t ret[static 32])
{
    char text[80];
    cleanup(dir_leave) struct dir_visit visit = dir_enter(key_dir);
    cleanup(closep) int fd = openat(key_dir, "audit.pub", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    ssize_t n = read(fd, text, sizeof text);
    return n < 64 ? -EBADMSG : hex_read(text, ret, 32);
}

int key_read_file(const char *path, struct audit_key *ret, struct error *err)
{
    int e = key_read(AT_FDCWD, path, ret);
    if (e == 0)
        return 0;
    (void)err_set(err, e, BLAME_CALLER, NULL, "--key %s: %s", path,
                  e == -EPERM     ? "others may read it, or it is not a file of yours"
                  : e == -EBADMSG ? "is no private key made by `sandbox-agent sign --generate`"
                                  : strerror(-e));
    return e == -EPERM ? err_remedy(err, "chmod 600 %s", path) : e;
}

int key_generate_file(const char *path, struct audit_key *ret, struct error *err)
{
    char text[66];
    int e = make_seed(text);
    if (e == 0)
        e = write_new(AT_FDCWD, path, 0600, text);
    sodium_memzero(text, sizeof text);
    if (e < 0) {
        (void)err_set(err, e, BLAME_CALLER, NULL, "--generate %s: %s", path, strerror(-e));
        return e == -EEXIST
                   ? err_remedy(err, "an existing key is never overwritten: name another file, or move that one away")
                   : e;
    }
    return key_read_file(path, ret, err);
}

void key_sign(const struct audit_key *k, const void *text, size_t size, char ret_hex[static 129])
{
    uint8_t signature[crypto_sign_BYTES];
    (void)crypto_sign_detached(signature, NULL, text, size, k->secret); /* always 0 */
    hex_write(signature, sizeof signature, ret_hex);
}

bool key_verify(const uint8_t public[static 32], const void *text, size_t size, const char *hex)
{
    uint8_t signature[crypto_sign_BYTES];
    return hex_read(hex, signature, sizeof signature) == 0 &&
           crypto_sign_verify_detached(signature, text, size, public) == 0;
}

void key_audit_text(struct buf *b, uint64_t sequence, const char *hash, uint64_t next_within)
{
    (void)buf_addf(b, "sandbox-agent-audit-v1\n%llu\n%.64s\n%llu\n", (unsigned long long)sequence, hash,
                   (unsigned long long)next_within);
}
