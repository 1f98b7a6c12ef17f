/* Signed envelopes: the encoding to the byte, and what a reader must not believe. */
#include "test.h"

#include <sodium.h>

#include "audit/chain.h"
#include "audit/dsse.h"
#include "audit/seal.h"

static struct audit_key make_key(uint8_t first)
{
    struct audit_key k;
    uint8_t seed[32] = { first };
    (void)crypto_sign_seed_keypair(k.public, k.secret, seed);
    return k;
}

static struct buf sign(const struct audit_key *k, const char *type, const char *body)
{
    struct buf b;
    buf_init(&b, MIB);
    dsse_sign(k, type, body, strlen(body), &b);
    CHECK(!b.failed);
    return b;
}

static enum dsse_verdict verify(const char *text, size_t size, const struct audit_key *k)
{
    struct buf body;
    size_t which = 0;
    enum dsse_verdict v = dsse_verify(text, size, "t/x", (const uint8_t(*)[32])k->public, 1, &body, &which);
    if (v == DSSE_GOOD)
        CHECK_STR(body.data, "{\"a\":1}");
    buf_done(&body);
    return v;
}

/* The example of the DSSE protocol, version 1. */
TEST(receipt_the_encoding_is_the_one_of_the_specification)
{
    struct buf b;
    buf_init(&b, KIB);
    dsse_encode("http://example.com/HelloWorld", "hello world", 11, &b);
    CHECK_STR(b.data, "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
    buf_done(&b);
}

TEST(receipt_an_envelope_is_good_for_its_key_and_its_type_alone)
{
    const struct audit_key k = make_key(1), other = make_key(2);
    struct buf b = sign(&k, "t/x", "{\"a\":1}"), typed = sign(&k, "t/y", "{\"a\":1}");
    CHECK_EQ(verify(b.data, b.size, &k), DSSE_GOOD);
    CHECK_EQ(verify(b.data, b.size - 1, &k), DSSE_GOOD); /* without its newline */
    CHECK_EQ(verify(b.data, b.size, &other), DSSE_OTHER_KEY);
    CHECK_EQ(verify(typed.data, typed.size, &k), DSSE_OTHER_TYPE);
    buf_done(&b);
    buf_done(&typed);
}

static struct buf seal(const struct audit_key *k, const char *body)
{
    struct buf b;
    buf_init(&b, MIB);
    seal_write(k, "t/x", body, strlen(body), &b);
    CHECK(!b.failed && seal_is_one(b.data, b.size));
    return b;
}

static int sign_sealed(const char *text, size_t size, const struct audit_key *k, struct buf *ret)
{
    buf_init(ret, MIB);
    return seal_sign(k, text, size, ret);
}

TEST(receipt_what_is_sealed_is_signed_later_as_it_would_have_been)
{
    const struct audit_key k = make_key(1), other = make_key(2);
    struct buf b = seal(&k, "{\"a\":1}"), at_once = sign(&k, "t/x", "{\"a\":1}"), later, none;
    CHECK_EQ(sign_sealed(b.data, b.size, &k, &later), 0);
    CHECK_STR(later.data, at_once.data);
    CHECK(!seal_is_one(at_once.data, at_once.size));
    CHECK_EQ(verify(b.data, b.size, &k), DSSE_NO_ENVELOPE); /* a seal is no signature */
    CHECK_EQ(sign_sealed(b.data, b.size, &other, &none), -EKEYREJECTED);
    CHECK_EQ(none.size, 0);
    buf_done(&none);
    buf_done(&b);
    buf_done(&at_once);
    buf_done(&later);
}

/* Whatever byte is another one, the key signs what was sealed, or nothing. */
TEST(receipt_what_was_changed_since_it_was_sealed_is_not_signed)
{
    const struct audit_key k = make_key(1);
    struct buf b = seal(&k, "{\"a\":1}"), later;
    int refused = 0;
    for (size_t i = 0; i + 1 < b.size; i++) {
        b.data[i] ^= 1;
        if (sign_sealed(b.data, b.size, &k, &later) < 0)
            refused++;
        else
            CHECK_EQ(verify(later.data, later.size, &k), DSSE_GOOD);
        buf_done(&later);
        b.data[i] ^= 1;
    }
    CHECK(refused >= 64 + 64 + 12); /* at least key, seal and payload */
    CHECK_EQ(sign_sealed(b.data, b.size / 2, &k, &later), -EBADMSG);
    buf_done(&later);
    buf_done(&b);
}

/* A keyid is no proof: with another one it is still ours, and with ours a wrong signature is not. */
TEST(receipt_a_key_id_is_a_hint_only)
{
    const struct audit_key k = make_key(1), other = make_key(2);
    struct buf b = sign(&k, "t/x", "{\"a\":1}"), forged = sign(&other, "t/x", "{\"a\":1}");
    char ours[65], theirs[65];
    hex_write(k.public, 32, ours);
    hex_write(other.public, 32, theirs);
    memcpy(strstr(b.data, ours), theirs, 64);
    memcpy(strstr(forged.data, theirs), ours, 64);
    CHECK_EQ(verify(b.data, b.size, &k), DSSE_GOOD);
    CHECK_EQ(verify(forged.data, forged.size, &k), DSSE_BAD_SIGNATURE);
    buf_done(&b);
    buf_done(&forged);
}

/* Every byte of it: whatever one is made of, the envelope is none any more, or another's, or says the same. */
TEST(receipt_no_changed_byte_is_believed)
{
    const struct audit_key k = make_key(1);
    struct buf b = sign(&k, "t/x", "{\"a\":1}");
    const char *keyid = strstr(b.data, "keyid");
    unsigned good = 0;
    for (size_t i = 0; i + 1 < b.size; i++) {
        const bool is_hint = b.data + i >= keyid && b.data + i < keyid + strlen("keyid\":\"") + 64;
        for (unsigned bit = 0; bit < 8; bit++) {
            b.data[i] ^= (char)(1 << bit);
            bool is_good = verify(b.data, b.size, &k) == DSSE_GOOD;
            good += is_good;
            CHECK(!is_good || is_hint);
            b.data[i] ^= (char)(1 << bit);
        }
    }
    CHECK(good > 0); /* the hint may say what it likes */
    for (size_t n = 0; n + 1 < b.size; n++)
        CHECK(verify(b.data, n, &k) != DSSE_GOOD);
    buf_done(&b);
}

/* Further signatures of others stand beside ours, in any order. */
TEST(receipt_one_good_signature_of_several_is_enough)
{
    const struct audit_key k = make_key(1), other = make_key(2);
    struct buf mine = sign(&k, "t/x", "{\"a\":1}"), theirs = sign(&other, "t/x", "{\"a\":1}"), both;
    const char *list = strstr(theirs.data, "\"signatures\":[") + strlen("\"signatures\":[");
    const char *own = strstr(mine.data, "\"signatures\":[") + strlen("\"signatures\":[");
    buf_init(&both, MIB);
    (void)buf_add(&both, theirs.data, (size_t)(list - theirs.data));
    (void)buf_addf(&both, "%.*s,%s", (int)strcspn(list, "]"), list, own);
    CHECK_EQ(verify(both.data, both.size, &k), DSSE_GOOD);
    CHECK_EQ(verify(both.data, both.size, &other), DSSE_GOOD);
    buf_done(&mine);
    buf_done(&theirs);
    buf_done(&both);
}

TEST(receipt_what_is_no_envelope_is_called_so)
{
    static const char *const texts[] = { "",
                                         "{}",
                                         "[]",
                                         "{\"payloadType\":\"t/x\"}",
                                         "{\"payloadType\":\"t/x\",\"payload\":\"e30=\"}",
                                         "{\"payloadType\":\"t/x\",\"payload\":\"?\",\"signatures\":[]}",
                                         "{\"payloadType\":1,\"payload\":\"e30=\",\"signatures\":[]}" };
    const struct audit_key k = make_key(1);
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        CHECK_EQ(verify(texts[i], strlen(texts[i]), &k), DSSE_NO_ENVELOPE);
    static const char unsigned_[] = "{\"payloadType\":\"t/x\",\"payload\":\"e30=\",\"signatures\":[]}";
    CHECK_EQ(verify(unsigned_, strlen(unsigned_), &k), DSSE_OTHER_KEY);
}
