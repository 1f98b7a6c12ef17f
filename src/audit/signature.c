#include "audit/signature.h"

#include <sodium.h>
#include <stdio.h>
#include "audit/chain.h"
#include "audit/key.h"
#include "base/parse.h"

static int signed_text(struct buf *b, const char *agent_id, const struct signature *s, const void *code, size_t size)
{
    char hash[AUDIT_HASH_SIZE];
    for (const char *p = agent_id; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7F) /* a newline would move the border between two fields */
            return -EINVAL;
    audit_hash(code, size, hash);
    return buf_addf(b, "sandbox-agent-code-v1\n%s\n%s\n%llu\n%s\n", agent_id, s->nonce, (unsigned long long)s->at_s,
                    hash);
}

static bool is_nonce_character(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
}

/* «v1:NONCE:SECONDS:HEX» -> *ret, and where the hex begins. */
static bool split(const char *text, struct signature *ret, const char **ret_hex)
{
    char seconds[20];
    size_t n = 0;
    if (!str_starts(text, "v1:"))
        return false;
    text += 3;
    while (is_nonce_character(text[n]))
        n++;
    if (text[n] != ':' || n < 16 || n > SIGNATURE_NONCE_MAX)
        return false;
    memcpy(ret->nonce, text, n);
    ret->nonce[n] = '\0';
    text += n + 1;
    for (n = 0; text[n] && text[n] != ':'; n++)
        ;
    if (text[n] != ':' || n >= sizeof seconds)
        return false;
    memcpy(seconds, text, n);
    seconds[n] = '\0';
    *ret_hex = text + n + 1;
    return parse_u64(seconds, &ret->at_s) == 0 && strlen(*ret_hex) == 2 * crypto_sign_BYTES;
}

static int check_time(const struct signature *s, uint64_t now_s, struct error *err)
{
    if (s->at_s > now_s && s->at_s - now_s > SIGNATURE_AHEAD_SECONDS) {
        (void)err_set(err, -EKEYEXPIRED, BLAME_POLICY, "SIGNATURE", "the signature is from %llu s in the future",
                      (unsigned long long)(s->at_s - now_s));
        return err_remedy(err, "set the clock of the machine that signs, or of this one");
    }
    if (s->at_s < now_s && now_s - s->at_s > SIGNATURE_SECONDS) {
        (void)err_set(err, -EKEYEXPIRED, BLAME_POLICY, "SIGNATURE", "the signature is %llu s old; %u are accepted",
                      (unsigned long long)(now_s - s->at_s), SIGNATURE_SECONDS);
        return err_remedy(err, "sign the code again: sandbox-agent sign");
    }
    return 0;
}

int signature_check(const char *text, const char *agent_id, const char *public_key_hex, const void *code, size_t size,
                    uint64_t now_ms, struct signature *ret, struct error *err)
{
    struct signature s;
    struct buf b;
    const char *hex;
    uint8_t key[32];
    if (!split(text, &s, &hex)) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "accepted is v1:NONCE:SECONDS:SIGNATURE, as sandbox-agent sign prints it");
        return err_remedy(err, "the nonce has 16 to 64 letters and digits, the signature 128 hex digits");
    }
    if (!public_key_hex || strlen(public_key_hex) != 64 || hex_read(public_key_hex, key, sizeof key) < 0)
        return err_set(err, -EINVAL, BLAME_HOST, "SIGNATURE", "the registered key of agent %s is no Ed25519 key",
                       agent_id);
    int e = check_time(&s, now_ms / 1000, err);
    if (e < 0)
        return e;
    buf_init(&b, 4096);
    if (signed_text(&b, agent_id, &s, code, size) < 0)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                    "the agent id is too long or has control characters: it cannot be signed for");
    else if (!key_verify(key, b.data, b.size, hex))
        e = err_set(err, -EKEYREJECTED, BLAME_POLICY, "SIGNATURE", "the signature is not one of agent %s for this code",
                    agent_id);
    buf_done(&b);
    if (e == -EKEYREJECTED)
        return err_remedy(
            err,
            "sign exactly the bytes that are sent, for this agent id, with the key whose public half is registered");
    if (e == 0)
        *ret = s;
    return e;
}

int signature_make(const char *key_file, const char *agent_id, const void *code, size_t size, uint64_t now_ms,
                   char ret[static SIGNATURE_TEXT_MAX], struct error *err)
{
    struct audit_key key;
    struct signature s = { .at_s = now_ms / 1000 };
    struct buf b;
    uint8_t random[16];
    char hex[129];
    int e = key_read_file(key_file, &key, err);
    if (e < 0)
        return e;
    if (sodium_init() < 0) {
        key_done(&key);
        return err_set(err, -EIO, BLAME_HOST, "SIGNATURE", "no random numbers from this system");
    }
    randombytes_buf(random, sizeof random);
    hex_write(random, sizeof random, s.nonce);
    buf_init(&b, 4096);
    e = signed_text(&b, agent_id, &s, code, size);
    if (e == 0) {
        key_sign(&key, b.data, b.size, hex);
        (void)snprintf(ret, SIGNATURE_TEXT_MAX, "v1:%s:%llu:%s", s.nonce, (unsigned long long)s.at_s, hex);
    } else {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "the agent id is too long or has control characters: it cannot be signed for");
    }
    buf_done(&b);
    key_done(&key);
    return e;
}

int signature_generate(const char *key_file, char ret_public_hex[static 65], struct error *err)
{
    struct audit_key key;
    int e = key_generate_file(key_file, &key, err);
    if (e < 0)
        return e;
    hex_write(key.public, sizeof key.public, ret_public_hex);
    key_done(&key);
    return 0;
}

bool signature_key_is_valid(const char *hex)
{
    uint8_t key[32], other[32];
    return strlen(hex) == 64 && hex_read(hex, key, sizeof key) == 0 &&
           crypto_sign_ed25519_pk_to_curve25519(other, key) == 0;
}
