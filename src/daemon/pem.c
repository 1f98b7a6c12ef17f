#include "daemon/pem.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/io.h"
#include "audit/hmac.h"

static int check_secret(int fd, const char *setting, const char *path, struct error *err)
{
    struct stat st;
    if (fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, "TLS", "%s %s: %m", setting, path);
    if (S_ISREG(st.st_mode) && !(st.st_mode & (S_IRWXO | S_IWGRP)))
        return 0;
    (void)err_set(err, -EPERM, BLAME_CALLER, "TLS",
                  "%s %s: others can read or change it (mode %04o): it is no secret any more", setting, path,
                  (unsigned)(st.st_mode & 07777));
    return err_remedy(err, "make a new key with its certificate, and chmod 600 it before it is used");
}

int pem_load_file(const char *setting, const char *path, bool is_secret, struct arena *a, const char **ret,
                  struct error *err)
{
    struct buf b;
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return err_set(err, -errno, BLAME_CALLER, "TLS", "%s %s: %m", setting, path);
    int e = is_secret ? check_secret(fd, setting, path, err) : 0;
    if (e < 0)
        return e;
    buf_init(&b, 256 * KIB);
    e = read_open_file(fd, &b);
    *ret = e == 0 ? arena_copy_bytes(a, b.data, b.size) : NULL;
    secret_wipe(b.data, b.size);
    buf_done(&b);
    return e < 0 ? err_set(err, e, BLAME_CALLER, "TLS", "%s %s: %s", setting, path, strerror(-e)) : 0;
}

int pem_load(const struct config *c, struct arena *a, struct pem *ret, struct error *err)
{
    const char *certificate = c->endpoints.api.tls.certificate, *key = c->endpoints.api.tls.key;
    *ret = (struct pem){ 0 };
    if (!certificate != !key)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "endpoints.api.tls.%s is missing",
                       key ? "certificate" : "key");
    int e = certificate ? pem_load_file("endpoints.api.tls.certificate", certificate, false, a, &ret->certificate, err)
                        : 0;
    return e == 0 && key ? pem_load_file("endpoints.api.tls.key", key, true, a, &ret->key, err) : e;
}
