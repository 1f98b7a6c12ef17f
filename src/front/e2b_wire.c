#include "front/e2b_wire.h"

#include "audit/chain.h"

#define KEY_PREFIX "e2b_"
#define KEY_BYTES  32u

/* --- keys, signatures ----------------------------------------------------------------------------------------- */

const char *e2b_key(const char *text, struct arena *a)
{
    uint8_t bytes[KEY_BYTES];
    char token[ACCESS_TOKEN_LENGTH + 8] = ACCESS_TOKEN_PREFIX;
    if (!text || !str_starts(text, KEY_PREFIX) || strlen(text) != strlen(KEY_PREFIX) + 2 * KEY_BYTES)
        return text;
    const char *digits = text + strlen(KEY_PREFIX);
    if (!is_hex(digits, 2 * sizeof bytes))
        return text;
    (void)hex_read(digits, bytes, sizeof bytes);
    base64url_write(bytes, sizeof bytes, token + strlen(ACCESS_TOKEN_PREFIX),
                    sizeof token - strlen(ACCESS_TOKEN_PREFIX));
    const char *made = arena_copy(a, token);
    secret_wipe(bytes, sizeof bytes);
    secret_wipe(token, sizeof token);
    return made;
}

bool e2b_sign(const struct e2b_signed *what, const char *token, char ret[static E2B_SIGNATURE_SIZE])
{
    uint8_t hash[32];
    struct buf text, coded;
    buf_init(&text, 64 * KIB);
    buf_init(&coded, 64);
    (void)buf_addf(&text, "%s:%s:%s:%s", what->path, what->operation, what->user ? what->user : "", token);
    if (what->expires)
        (void)buf_addf(&text, ":%s", what->expires);
    sha256(text.data ? text.data : "", text.size, hash);
    base64_write(&coded, hash, sizeof hash);
    const bool is_made = !text.failed && !coded.failed;
    (void)snprintf(ret, E2B_SIGNATURE_SIZE, "v1_%.43s", is_made ? coded.data : ""); /* without its «=» */
    if (text.data)
        secret_wipe(text.data, text.size);
    buf_done(&text);
    buf_done(&coded);
    return is_made;
}

uint32_t e2b_pid(const char *process_id)
{
    uint8_t hash[32];
    uint32_t n;
    sha256(process_id, strlen(process_id), hash);
    memcpy(&n, hash, sizeof n);
    n &= INT32_MAX;
    return n ? n : 1;
}

/* --- envelopes ------------------------------------------------------------------------------------------------ */

int e2b_envelope_read(const char *data, size_t size, const char **ret, size_t *ret_size)
{
    const uint8_t *p = (const uint8_t *)data;
    if (size < E2B_ENVELOPE_HEAD)
        return -EBADMSG;
    const size_t n = (size_t)p[1] << 24 | (size_t)p[2] << 16 | (size_t)p[3] << 8 | p[4];
    if (n > E2B_ENVELOPE_MAX)
        return -EMSGSIZE;
    if (p[0] & E2B_ENVELOPE_COMPRESSED)
        return -ENOTSUP;
    if (p[0] || n != size - E2B_ENVELOPE_HEAD)
        return -EBADMSG;
    *ret = data + E2B_ENVELOPE_HEAD;
    *ret_size = n;
    return 0;
}

size_t e2b_envelope_begin(struct buf *out, uint8_t flags)
{
    const char head[E2B_ENVELOPE_HEAD] = { (char)flags };
    const size_t at = out->size;
    (void)buf_add(out, head, sizeof head);
    return at;
}

void e2b_envelope_end(struct buf *out, size_t begin)
{
    if (out->failed)
        return;
    const size_t n = out->size - begin - E2B_ENVELOPE_HEAD;
    for (unsigned i = 0; i < 4; i++)
        out->data[begin + 1 + i] = (char)(n >> (24 - 8 * i) & 0xff);
}
