/* pem.h - certificate and key of TLS: files, of which the key is a secret.
 *
 * Started by root they are read before root is given up: a key is root's, mode 0600, wherever it was made.
 */
#pragma once
#include "base/arena.h"
#include "config/config.h"

struct pem {
    const char *certificate, *key; /* text, or NULL; in the arena */
};
/* What endpoints.api.tls names. A key that others than its owner and group can read, or that others than its owner can
 * change, is refused. */
int pem_load(const struct config *c, struct arena *a, struct pem *ret, struct error *err);
/* One such file; setting: whose path it is, for messages. */
int pem_load_file(const char *setting, const char *path, bool is_secret, struct arena *a, const char **ret,
                  struct error *err);
