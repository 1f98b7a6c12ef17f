#include "daemon/webhook_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "audit/dir.h"
#include "audit/hmac.h"
#include "base/io.h"

#define NAME "webhook.secret"

void webhook_sign(const struct webhook_secret *s, uint64_t timestamp, const char *body, size_t size,
                  char ret[static WEBHOOK_SIGNATURE_SIZE])
{
    struct buf text;
    buf_init(&text, size + 32);
    (void)buf_addf(&text, "%llu.", (unsigned long long)timestamp);
    (void)buf_add(&text, body, size);
    memcpy(ret, "v1=", 3);
    if (text.failed)
        ret[3] = '\0'; /* no memory: a signature that no receiver accepts */
    else
        hmac_sha256_hex(s->bytes, s->size, text.data, text.size, ret + 3);
    buf_done(&text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void trim(struct webhook_secret *s)
{
    size_t from = 0;
    while (from < s->size && is_blank(s->bytes[from]))
        from++;
    while (s->size > from && is_blank(s->bytes[s->size - 1]))
        s->size--;
    s->size -= from;
    memmove(s->bytes, s->bytes + from, s->size);
}

static int check_file(int fd, int state_dir, const char *path, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", path);
    const bool is_ours = st.st_uid == 0 || (state_dir >= 0 ? dir_owns(state_dir, &st) : st.st_uid == geteuid());
    if (!S_ISREG(st.st_mode) || !is_ours || (st.st_mode & 027)) {
        (void)err_set(err, -EPERM, BLAME_CALLER, NULL,
                      "%s: the secret of webhooks must be a file of ours or root's that others cannot read or write",
                      path);
        return err_remedy(err, "chmod 0600 %s", path);
    }
    return 0;
}

static int read_secret(int fd, const char *path, struct webhook_secret *ret, struct error *err)
{
    struct webhook_secret s = { 0 };
    ssize_t n = read(fd, s.bytes, sizeof s.bytes);
    s.size = n > 0 ? (size_t)n : 0;
    const bool is_cut = s.size == sizeof s.bytes;
    int e = 0;
    trim(&s);
    if (n < 0 || is_cut || s.size < WEBHOOK_MIN_SECRET)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: the secret of webhooks has %u to %u bytes, not %zu", path,
                    WEBHOOK_MIN_SECRET, WEBHOOK_MAX_SECRET - 1, s.size);
    else
        *ret = s;
    secret_wipe(&s, sizeof s);
    return e;
}

static int load_file(const char *path, struct webhook_secret *ret, struct error *err)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
    int e = check_file(fd, -1, path, err);
    return e < 0 ? e : read_secret(fd, path, ret, err);
}

static int write_new(int dir, const char *name)
{
    uint8_t random[32];
    char text[66];
    int e = random_bytes(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", random[i]);
    text[64] = '\n';
    (void)unlinkat(dir, name, 0); /* of a namesake that died here */
    cleanup(closep) int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (e == 0)
        e = fd < 0 ? -errno : write_all(fd, text, 65);
    if (e == 0 && fsync(fd) < 0)
        e = -errno;
    secret_wipe(random, sizeof random);
    secret_wipe(text, sizeof text);
    return e;
}

/* Written aside and linked into place: no reader sees half a secret, and of two makers the first wins. */
static int make_secret(int dir)
{
    char aside[48];
    (void)snprintf(aside, sizeof aside, NAME ".%d", (int)getpid());
    int e = write_new(dir, aside);
    if (e == 0 && linkat(dir, aside, dir, NAME, 0) < 0 && errno != EEXIST)
        e = -errno;
    (void)unlinkat(dir, aside, 0);
    return e;
}

static int load_own(const char *state_dir, struct webhook_secret *ret, struct error *err)
{
    char path[4200];
    (void)snprintf(path, sizeof path, "%.4096s/" NAME, state_dir);
    cleanup(closep) int dir = dir_open(state_dir);
    if (dir < 0)
        return err_set(err, dir, BLAME_HOST, NULL, "%s: %s", state_dir, strerror(-dir));
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir);
    int fd = openat(dir, NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno == ENOENT) {
        int e = make_secret(dir);
        if (e < 0)
            return err_set(err, e, BLAME_HOST, NULL, "%s: cannot be made: %s", path, strerror(-e));
        fd = openat(dir, NAME, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    }
    cleanup(closep) int file = fd;
    if (file < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", path);
    int e = check_file(file, dir, path, err);
    return e < 0 ? e : read_secret(file, path, ret, err);
}

int webhook_secret_load(const char *path, const char *state_dir, struct webhook_secret *ret, struct error *err)
{
    if (path)
        return load_file(path, ret, err);
    if (state_dir)
        return load_own(state_dir, ret, err);
    (void)err_set(err, -ENOENT, BLAME_CALLER, NULL,
                  "webhooks: there is no state directory for the secret that posts are signed with");
    return err_remedy(err, "set endpoints.webhooks.secret_file or sandbox.paths.state_dir");
}
