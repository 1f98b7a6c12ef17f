#include "audit/dsse.h"

#include "audit/chain.h"
#include "audit/hmac.h"
#include "base/json.h"
#include "base/members.h"

#define MAX_SIGNATURES 16u

void dsse_encode(const char *type, const void *body, size_t size, struct buf *out)
{
    (void)buf_addf(out, "DSSEv1 %zu %s %zu ", strlen(type), type, size);
    (void)buf_add(out, body, size);
}

void dsse_sign(const struct audit_key *key, const char *type, const void *body, size_t size, struct buf *out)
{
    struct buf encoded;
    char hex[129], public[65];
    uint8_t signature[64];
    buf_init(&encoded, size + strlen(type) + 64);
    dsse_encode(type, body, size, &encoded);
    key_sign(key, encoded.data, encoded.size, hex);
    buf_done(&encoded);
    (void)hex_read(hex, signature, sizeof signature); /* our own digits */
    hex_write(key->public, sizeof key->public, public);
    (void)buf_adds(out, "{\"payloadType\":");
    json_put_string(out, type);
    (void)buf_adds(out, ",\"payload\":\"");
    base64_write(out, body, size);
    (void)buf_addf(out, "\",\"signatures\":[{\"keyid\":\"%s\",\"sig\":\"", public);
    base64_write(out, signature, sizeof signature);
    (void)buf_adds(out, "\"}]}\n");
}

/* --- reading -------------------------------------------------------------------------------------- */

struct envelope {
    struct slice type, payload;
};

static bool read_envelope(const char *text, size_t size, struct envelope *ret)
{
    static const struct member members[] = {
        MEMBER("payloadType", MEMBER_TEXT, struct envelope, type),
        MEMBER("payload", MEMBER_TEXT, struct envelope, payload),
    };
    uint32_t seen;
    return members_read(text, size, members, ARRAY_LEN(members), ret, &seen) == 0 && seen == 3;
}

/* The text is one JSON object without blanks: a quote within a text would be escaped, so this is the array's begin. */
static const char *find_signatures(const char *text, size_t size)
{
    static const char key[] = "\"signatures\":[";
    const char *found = memmem(text, size, key, sizeof key - 1);
    return found ? found + sizeof key - 1 : NULL;
}

struct signature {
    struct slice keyid, sig;
};

static bool read_signature(const char *text, size_t size, uint8_t ret[static 64])
{
    static const struct member members[] = { MEMBER("keyid", MEMBER_TEXT, struct signature, keyid),
                                             MEMBER("sig", MEMBER_TEXT, struct signature, sig) };
    struct signature s = { 0 };
    uint32_t seen;
    uint8_t bytes[96];
    size_t n;
    if (members_read(text, size, members, ARRAY_LEN(members), &s, &seen) < 0 || !s.sig.p || s.sig.size > sizeof bytes)
        return false;
    if (base64_read(s.sig.p, s.sig.size, bytes, &n) < 0 || n != 64)
        return false;
    memcpy(ret, bytes, 64);
    return true;
}

static bool is_of_one(const uint8_t signature[static 64], const struct buf *encoded, const uint8_t (*keys)[32],
                      size_t key_count, size_t *ret_key)
{
    char hex[129];
    hex_write(signature, 64, hex);
    for (size_t i = 0; i < key_count; i++)
        if (key_verify(keys[i], encoded->data, encoded->size, hex)) {
            *ret_key = i;
            return true;
        }
    return false;
}

/* A keyid is a hint: every key is tried. A signature that names one of our keys and is wrong is told as such. */
static enum dsse_verdict check(const char *at, const char *end, const struct buf *encoded, const uint8_t (*keys)[32],
                               size_t key_count, size_t *ret_key)
{
    enum dsse_verdict verdict = DSSE_OTHER_KEY;
    for (unsigned i = 0; i < MAX_SIGNATURES && at < end && *at == '{'; i++) {
        const char *close = memchr(at, '}', (size_t)(end - at));
        uint8_t signature[64];
        if (!close)
            break;
        size_t size = (size_t)(close + 1 - at);
        if (read_signature(at, size, signature) && is_of_one(signature, encoded, keys, key_count, ret_key))
            return DSSE_GOOD;
        for (size_t k = 0; k < key_count; k++) {
            char public[65];
            hex_write(keys[k], 32, public);
            if (memmem(at, size, public, 64))
                verdict = DSSE_BAD_SIGNATURE;
        }
        at = close + 1;
        at += at < end && *at == ',';
    }
    return verdict;
}

enum dsse_verdict dsse_verify(const char *text, size_t size, const char *type, const uint8_t (*keys)[32],
                              size_t key_count, struct buf *ret_body, size_t *ret_key)
{
    struct envelope e = { 0 };
    struct buf encoded;
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\r'))
        size--;
    const char *signatures = read_envelope(text, size, &e) ? find_signatures(text, size) : NULL;
    *ret_body = (struct buf){ 0 };
    if (!signatures || size > DSSE_MAX_BYTES)
        return DSSE_NO_ENVELOPE;
    if (!slice_is(e.type, type))
        return DSSE_OTHER_TYPE;
    uint8_t *bytes = malloc((size_t)e.payload.size + 1);
    size_t n = 0;
    enum dsse_verdict verdict = DSSE_NO_ENVELOPE;
    if (bytes && base64_read(e.payload.p, e.payload.size, bytes, &n) == 0) {
        buf_init(ret_body, DSSE_MAX_BYTES);
        (void)buf_add(ret_body, bytes, n);
        buf_init(&encoded, DSSE_MAX_BYTES);
        dsse_encode(type, bytes, n, &encoded);
        verdict = check(signatures, text + size, &encoded, keys, key_count, ret_key);
        buf_done(&encoded);
    }
    free(bytes);
    return verdict;
}
