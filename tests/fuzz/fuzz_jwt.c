/* Whatever the bytes: as a token they are refused (nobody guesses a signature); as HEADER, NUL, CLAIMS that somebody
 * with the secret has signed they become claims that hold what jwt.h promises, or are refused. */
#include "audit/hmac.h"
#include "daemon/jwt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char secret[] = "a secret of the fuzzer";

static int check(const char *token, struct jwt_claims *ret, struct arena *a)
{
    struct error err = { 0 };
    int e = jwt_check(token, secret, sizeof secret - 1, 1700000000, a, ret, &err);
    assert(e == 0 || (e == -EACCES && err.code == e));
    return e;
}

static void check_signed(const uint8_t *data, size_t size, struct arena *a)
{
    char token[2 * JWT_MAX];
    struct jwt_claims c;
    const uint8_t *nul = memchr(data, 0, size);
    size_t head = nul ? (size_t)(nul - data) : size, n;
    uint8_t mac[HMAC_SIZE];
    if (size > JWT_MAX)
        return;
    base64url_write(data, head, token, sizeof token);
    n = strlen(token);
    token[n++] = '.';
    base64url_write(nul ? nul + 1 : data, nul ? size - head - 1 : 0, token + n, sizeof token - n);
    n += strlen(token + n);
    hmac_sha256(secret, sizeof secret - 1, token, n, mac);
    token[n++] = '.';
    base64url_write(mac, sizeof mac, token + n, sizeof token - n);
    if (check(token, &c, a) == 0)
        assert(*c.sub && strlen(c.sub) <= 100 && !strpbrk(c.sub, " \n\"<") && c.exp_s > 1700000000 &&
               (!c.email || strlen(c.email) <= 254));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena a = { 0 };
    struct jwt_claims c;
    char *text = malloc(size + 1); /* of the exact size, for a sanitizer */
    if (!text)
        abort();
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    assert(check(text, &c, &a) < 0);
    check_signed(data, size, &a);
    free(text);
    arena_done(&a);
    return 0;
}
