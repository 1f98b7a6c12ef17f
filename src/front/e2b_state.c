#include "front/contexts.h"
#include "front/e2b_internal.h"

#include <stdio.h>

struct e2b {
    uint8_t secret[32];
    struct front_contexts *contexts;
};

struct e2b *e2b_new(void)
{
    struct e2b *e = calloc(1, sizeof *e);
    if (e && random_bytes(e->secret, sizeof e->secret) == 0 && (e->contexts = front_contexts_new()))
        return e;
    return e2b_free(e);
}

struct e2b *e2b_free(struct e2b *e)
{
    if (!e)
        return NULL;
    e->contexts = front_contexts_free(e->contexts);
    secret_wipe(e->secret, sizeof e->secret);
    free(e);
    return NULL;
}

struct front_contexts *e2b_contexts(struct e2b *e)
{
    return e->contexts;
}

/* --- tokens --------------------------------------------------------------------------------------------------- */

void e2b_token(const struct e2b *e, const char *session_id, char ret[static E2B_TOKEN_SIZE])
{
    uint8_t mac[HMAC_SIZE];
    char coded[48];
    hmac_sha256(e->secret, sizeof e->secret, session_id, strlen(session_id), mac);
    base64url_write(mac, sizeof mac, coded, sizeof coded);
    (void)snprintf(ret, E2B_TOKEN_SIZE, "%.47s.%s", session_id, coded);
}

const char *e2b_token_read(const struct e2b *e, const char *token, struct arena *a)
{
    char good[E2B_TOKEN_SIZE];
    const size_t n = strcspn(token, "."), whole = strlen(token);
    if (!token[n] || n >= EXECUTION_ID_SIZE)
        return NULL;
    const char *id = arena_copy_bytes(a, token, n);
    e2b_token(e, id, good);
    return whole == strlen(good) && secret_equal(token, good, whole) ? id : NULL;
}
