#include "audit/seal.h"

#include "audit/chain.h"
#include "audit/digest.h"
#include "audit/dsse.h"
#include "audit/hmac.h"
#include "base/json.h"
#include "base/members.h"

struct sealed {
    struct slice type, payload, keyid, hmac;
};

/* The last 32 bytes of an Ed25519 secret are the public key. */
static void seal_of(const struct audit_key *key, const char *type, const void *body, size_t size,
                    char ret[static 2 * HMAC_SIZE + 1])
{
    static const char purpose[] = "sandbox-agent seal v1";
    uint8_t derived[HMAC_SIZE], hash[DIGEST_SIZE];
    struct digest d;
    struct buf head;
    buf_init(&head, 64 + strlen(type));
    dsse_encode(type, "", 0, &head); /* the type and its length: two of them never run together */
    sha256_begin(&d);
    sha256_add(&d, head.data, head.size);
    sha256_add(&d, body, size);
    sha256_end(&d, hash);
    buf_done(&head);
    hmac_sha256(key->secret, sizeof key->secret - 32, purpose, sizeof purpose - 1, derived);
    hmac_sha256_hex(derived, sizeof derived, hash, sizeof hash, ret);
    secret_wipe(derived, sizeof derived);
}

void seal_write(const struct audit_key *key, const char *type, const void *body, size_t size, struct buf *out)
{
    char public[65], hmac[2 * HMAC_SIZE + 1];
    seal_of(key, type, body, size, hmac);
    hex_write(key->public, sizeof key->public, public);
    (void)buf_adds(out, "{\"payloadType\":");
    json_put_string(out, type);
    (void)buf_adds(out, ",\"payload\":\"");
    base64_write(out, body, size);
    (void)buf_addf(out, "\",\"sealed\":{\"keyid\":\"%s\",\"hmac\":\"%s\"}}\n", public, hmac);
}

static bool read_sealed(const char *text, size_t size, struct sealed *ret)
{
    static const struct member members[] = {
        MEMBER("payloadType", MEMBER_TEXT, struct sealed, type),
        MEMBER("payload", MEMBER_TEXT, struct sealed, payload),
        MEMBER("sealed.keyid", MEMBER_TEXT, struct sealed, keyid),
        MEMBER("sealed.hmac", MEMBER_TEXT, struct sealed, hmac),
    };
    uint32_t seen;
    while (size && text[size - 1] == '\n')
        size--;
    *ret = (struct sealed){ 0 };
    return size <= DSSE_MAX_BYTES && members_read(text, size, members, ARRAY_LEN(members), ret, &seen) == 0 &&
           seen == 15;
}

bool seal_is_one(const char *text, size_t size)
{
    struct sealed s;
    return read_sealed(text, size, &s);
}

static int sign_body(const struct audit_key *key, const struct sealed *s, const char *type, uint8_t *body,
                     struct buf *out)
{
    char hmac[2 * HMAC_SIZE + 1];
    size_t size;
    if (base64_read(s->payload.p, s->payload.size, body, &size) < 0)
        return -EBADMSG;
    seal_of(key, type, body, size, hmac);
    if (s->hmac.size != 2 * HMAC_SIZE || !secret_equal(s->hmac.p, hmac, 2 * HMAC_SIZE))
        return -EBADMSG;
    dsse_sign(key, type, body, size, out);
    return out->failed ? -ENOMEM : 0;
}

int seal_sign(const struct audit_key *key, const char *text, size_t size, struct buf *out)
{
    struct sealed s;
    char public[65], type[128];
    if (!read_sealed(text, size, &s) || s.type.size >= sizeof type)
        return -EBADMSG;
    hex_write(key->public, sizeof key->public, public);
    if (!slice_is(s.keyid, public))
        return -EKEYREJECTED;
    memcpy(type, s.type.p, s.type.size);
    type[s.type.size] = '\0'; /* ours are plain ASCII; one with an escape has another seal */
    uint8_t *body = malloc((size_t)s.payload.size + 1);
    int e = body ? sign_body(key, &s, type, body, out) : -ENOMEM;
    free(body);
    return e;
}
