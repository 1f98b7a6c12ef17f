#include "daemon/webhook_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "audit/hmac.h"
#include "base/io.h"
#include "run/paths.h"

#define NAME "webhook.secret"

void webhook_sign(const struct webhook_secret *s, uint64_t timestamp, const char *body, size_t size, char ret[static WEBHOOK_SIGNATURE_SIZE])
{
    struct buf text;
    buf_init(&text, size + 32);
    (void)buf_addf(&text, "%llu.", (unsigned long long)timestamp);
    (void)buf_add(&text, body, size);
    memcpy(ret, "v1=", 3);
    if (text.failed)
        ret[3] = '\0'; /* no memory: a signature that nobody accepts */
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

static int check_file(int fd, const char *path, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", path);
    if (!S_ISREG(st.st_mode) || (st.st_uid != geteuid() && st.st_uid != 0) || (st.st_mode & 027)) {
        (void)err_set(err, -EPERM, BLAME_CALLER, NULL, "%s: the secret of webhooks must be a file of ours or root's that others cannot read or write", path);
        return err_remedy(err, "chmod 0600 %s", path);
    }
    return 0;
}

static int read_secret(const char *path, struct webhook_secret *ret, struct error *err)
{
    struct webhook_secret s = { 0 };
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
    int e = check_file(fd, path, err);
    if (e < 0)
        return e;
    ssize_t n = read(fd, s.bytes, sizeof s.bytes);
    s.size = n > 0 ? (size_t)n : 0;
    const bool is_cut = s.size == sizeof s.bytes;
    trim(&s);
    if (n < 0 || is_cut || s.size < WEBHOOK_MIN_SECRET)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: the secret of webhooks has %u to %u bytes, not %zu", path, WEBHOOK_MIN_SECRET,
                    WEBHOOK_MAX_SECRET - 1, s.size);
    else
        *ret = s;
    explicit_bzero(&s, sizeof s);
    return e;
}

/* Written aside and linked into place: nobody reads half a secret, and of two makers the first wins. */
static int make_secret(const char *dir_name, struct error *err)
{
    uint8_t random[32];
    char text[66], aside[48];
    cleanup(closep) int dir = open(dir_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir < 0)
        return err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", dir_name);
    int e = random_bytes(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        (void)snprintf(text + 2 * i, 3, "%02x", random[i]);
    text[64] = '\n';
    (void)snprintf(aside, sizeof aside, NAME ".%d", (int)getpid());
    (void)unlinkat(dir, aside, 0); /* of a namesake that died here */
    cleanup(closep) int fd = openat(dir, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (e == 0 && fd < 0)
        e = -errno;
    if (e == 0)
        e = write_all(fd, text, 65);
    if (e == 0 && (fsync(fd) < 0 || (linkat(dir, aside, dir, NAME, 0) < 0 && errno != EEXIST)))
        e = -errno;
    (void)unlinkat(dir, aside, 0);
    explicit_bzero(random, sizeof random);
    explicit_bzero(text, sizeof text);
    return e < 0 ? err_set(err, e, BLAME_HOST, NULL, "%s/" NAME ": cannot be made: %s", dir_name, strerror(-e)) : 0;
}

int webhook_secret_load(const char *path, const char *state_dir, struct webhook_secret *ret, struct error *err)
{
    if (path)
        return read_secret(path, ret, err);
    if (!state_dir) {
        (void)err_set(err, -ENOENT, BLAME_CALLER, NULL, "webhooks: there is no state directory for the secret that posts are signed with");
        return err_remedy(err, "set endpoints.webhooks.secret_file or sandbox.paths.state_dir");
    }
    char own[4096];
    if (snprintf(own, sizeof own, "%s/" NAME, state_dir) >= (int)sizeof own)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL, "webhooks: the name of the state directory is too long");
    int e = 0;
    if (access(own, F_OK) < 0 && errno == ENOENT)
        e = make_dirs(state_dir, 0700) < 0 ? err_set(err, -errno, BLAME_HOST, NULL, "%s: %m", state_dir) : make_secret(state_dir, err);
    return e < 0 ? e : read_secret(own, ret, err);
}
