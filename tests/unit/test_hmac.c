/* Secrets: against the vectors of the RFCs, and what a token looks like. */
#include "audit/audit.h"
#include "audit/chain.h"
#include "audit/digest.h"
#include "audit/hmac.h"
#include "test.h"

TEST(hmac_gives_what_rfc_4231_says)
{
    char hex[65];
    uint8_t key[131];
    memset(key, 0x0b, 20);
    hmac_sha256_hex(key, 20, "Hi There", 8, hex);
    CHECK_STR(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    hmac_sha256_hex("Jefe", 4, "what do ya want for nothing?", 28, hex);
    CHECK_STR(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    memset(key, 0xaa, sizeof key); /* longer than a block: hashed first */
    hmac_sha256_hex(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First", 54, hex);
    CHECK_STR(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    hmac_sha256_hex("", 0, "", 0, hex);
    CHECK_STR(hex, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(sha256_as_bytes_and_as_text_are_the_same)
{
    uint8_t bytes[32];
    char text[AUDIT_HASH_SIZE], again[65];
    sha256("abc", 3, bytes);
    hex_write(bytes, 32, again);
    audit_hash("abc", 3, text);
    CHECK_STR(text, again);
    CHECK_STR(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* In pieces of every size, over the block's end, as in one. */
TEST(sha256_in_pieces_is_that_of_the_whole)
{
    uint8_t data[300], whole[32], parts[32];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    for (size_t piece = 1; piece <= 130; piece++) {
        struct digest d;
        sha256_begin(&d);
        for (size_t at = 0; at < sizeof data; at += piece)
            sha256_add(&d, data + at, MIN_OF(piece, sizeof data - at));
        sha256_add(&d, NULL, 0);
        sha256_end(&d, parts);
        sha256(data, sizeof data, whole);
        CHECK(memcmp(parts, whole, sizeof whole) == 0);
    }
}

TEST(secrets_that_differ_in_any_byte_are_not_equal)
{
    char a[32] = "0123456789abcdef0123456789abcde", b[32];
    memcpy(b, a, sizeof a);
    CHECK(secret_equal(a, b, sizeof a));
    for (size_t i = 0; i < sizeof a; i++) {
        b[i] ^= 0x40;
        CHECK(!secret_equal(a, b, sizeof a));
        b[i] ^= 0x40;
    }
}

TEST(an_access_key_is_new_each_time_and_has_the_form_of_one)
{
    struct access_key a, b;
    char hash[AUDIT_HASH_SIZE];
    CHECK_EQ(access_key_make(&a), 0);
    CHECK_EQ(access_key_make(&b), 0);
    CHECK(strcmp(a.id, b.id) != 0 && strcmp(a.token, b.token) != 0 && strcmp(a.hash, b.hash) != 0);
    CHECK(access_token_is_valid(a.token) && strlen(a.token) == ACCESS_TOKEN_LENGTH);
    CHECK(strlen(a.id) == 16 && str_starts(a.id, "key-") && is_hex(a.id + 4, 12));
    audit_hash(a.token, strlen(a.token), hash);
    CHECK_STR(hash, a.hash);
    a.token[45] = '=';
    CHECK(!access_token_is_valid(a.token) && !access_token_is_valid("sa_") && !access_token_is_valid(""));
}

/* RFC 4648, 10; and every length around a piece of 256 groups comes back. */
TEST(base64_is_written_as_others_read_it)
{
    static const char *const vectors[][2] = {
        { "", "" },
        { "f", "Zg==" },
        { "fo", "Zm8=" },
        { "foo", "Zm9v" },
        { "foob", "Zm9vYg==" },
        { "fooba", "Zm9vYmE=" },
        { "foobar", "Zm9vYmFy" },
        { "\xff\xfe\xfb", "//77" },
        { "\xfb\xf0", "+/A=" },
    };
    static uint8_t data[2 * 768 + 4], back[4 * sizeof data];
    for (size_t i = 0; i < ARRAY_LEN(vectors); i++) {
        struct buf b;
        buf_init(&b, 100);
        base64_write(&b, vectors[i][0], strlen(vectors[i][0]));
        CHECK_EQ(b.size, strlen(vectors[i][1]));
        CHECK(!b.size || memcmp(b.data, vectors[i][1], b.size) == 0);
        buf_done(&b);
    }
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 167 + i / 256);
    for (size_t size = 760; size <= sizeof data; size++) {
        struct buf b;
        size_t n = 0;
        buf_init(&b, 4 * sizeof data);
        base64_write(&b, data, size);
        CHECK(base64_read(b.data, b.size, back, &n) == 0 && n == size && memcmp(back, data, size) == 0);
        buf_done(&b);
    }
}

TEST(base64url_is_read_strictly)
{
    static const char *const bad[] = { "YQ==", "YR", "Y", "Y+", "Y/", "YQ\n", " YQ", "YWJjZGU*", "Y\xcf" };
    char out[8];
    size_t n = 0;
    CHECK_EQ(base64url_read("_-8", 3, out, sizeof out, &n), 0);
    CHECK(n == 2 && (uint8_t)out[0] == 0xff && (uint8_t)out[1] == 0xef);
    CHECK_EQ(base64url_read("", 0, out, sizeof out, &n), 0);
    CHECK_EQ(n, 0);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(base64url_read(bad[i], strlen(bad[i]), out, sizeof out, &n), -EINVAL);
    CHECK_EQ(base64url_read("YWJjZGVmZ2g", 11, out, sizeof out, &n), 0);
    CHECK_EQ(n, 8);
    CHECK_EQ(base64url_read("YWJjZGVmZ2hp", 12, out, sizeof out, &n), -EMSGSIZE);
}
