#include "daemon/jwt.h"

#include "audit/hmac.h"
#include "daemon/body.h"

#define TIME_MAX  UINT64_C(253402300799) /* the end of the year 9999 */
#define SUB_MAX   100u
#define EMAIL_MAX 254u

static int refuse(struct error *err, const char *why)
{
    (void)err_set(err, -EACCES, BLAME_CALLER, NULL, "the token is not accepted: %s", why);
    return -EACCES;
}

/* HEADER.CLAIMS.SIGNATURE: where the two dots are. */
static bool split(const char *token, size_t size, size_t ret_dots[static 2])
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        if (token[i] == '.') {
            if (count == 2)
                return false;
            ret_dots[count++] = i;
        }
    return count == 2;
}

static bool is_signed(const char *token, size_t size, size_t signature_at, const void *secret, size_t secret_size)
{
    uint8_t told[HMAC_SIZE], mac[HMAC_SIZE];
    size_t n = 0;
    if (base64url_read(token + signature_at, size - signature_at, told, sizeof told, &n) < 0 || n != sizeof told)
        return false;
    hmac_sha256(secret, secret_size, token, signature_at - 1, mac);
    return secret_equal(told, mac, sizeof mac);
}

/* One part as an object; its bytes live in the arena. */
static int read_part(const char *text, size_t size, struct arena *a, struct body **ret, struct error *err)
{
    size_t n = 0;
    char *json = arena_zero(a, size + 1);
    if (!json)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (base64url_read(text, size, json, size, &n) < 0 || body_parse(json, n, false, ret, err) < 0)
        return refuse(err, "a part of it is no JSON object in base64url");
    return 0;
}

static int check_header(struct body *b, struct error *err)
{
    const char *alg = body_text(b, "alg", 16), *typ = body_text(b, "typ", 16);
    if (!alg || !str_eq(alg, "HS256"))
        return refuse(err, "its algorithm is not HS256");
    if ((typ && strcasecmp(typ, "JWT") != 0) || body_has(b, "crit"))
        return refuse(err, "its header asks for what is not known here");
    return body_end_open(b, err) < 0 ? refuse(err, "its header is damaged") : 0;
}

static bool is_plain(const char *s)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._@+:-";
    return s && *s && strspn(s, letters) == strlen(s);
}

static int check_times(struct body *b, uint64_t now_s, uint64_t *ret_exp, struct error *err)
{
    uint64_t exp = body_uint(b, "exp", TIME_MAX, 0), iat = body_uint(b, "iat", TIME_MAX, 0),
             nbf = body_uint(b, "nbf", TIME_MAX, 0);
    if (!exp)
        return refuse(err, "it has no time at which it expires");
    if (now_s >= exp)
        return refuse(err, "it has expired");
    if (iat > now_s + JWT_AHEAD_S || nbf > now_s + JWT_AHEAD_S)
        return refuse(err, "it is from the future");
    *ret_exp = exp;
    return 0;
}

static int check_claims(struct body *b, uint64_t now_s, struct arena *a, struct jwt_claims *ret, struct error *err)
{
    struct jwt_claims c = { 0 };
    int e = check_times(b, now_s, &c.exp_s, err);
    if (e < 0)
        return e;
    const char *sub = body_text(b, "sub", SUB_MAX), *email = body_text(b, "email", EMAIL_MAX);
    c.is_admin = body_bool(b, "admin", false);
    if (body_has(b, "aud"))
        return refuse(err, "it is meant for another audience (aud)");
    if (body_end_open(b, err) < 0)
        return refuse(err, "a claim has not the form that it should have");
    if (!is_plain(sub))
        return refuse(err, "it does not name its user (sub)");
    c.sub = arena_copy(a, sub);
    c.email = is_plain(email) ? arena_copy(a, email) : NULL;
    *ret = c;
    return 0;
}

int jwt_check(const char *token, const void *secret, size_t secret_size, uint64_t now_s, struct arena *a,
              struct jwt_claims *ret, struct error *err)
{
    size_t size = strnlen(token, JWT_MAX + 1), dots[2];
    struct body *header = NULL, *claims = NULL;
    if (size > JWT_MAX)
        return refuse(err, "it is longer than 4096 bytes");
    if (secret_size < JWT_MIN_SECRET || !split(token, size, dots))
        return refuse(err, "it has not the form of one");
    if (!is_signed(token, size, dots[1] + 1, secret, secret_size))
        return refuse(err, "its signature is wrong");
    int e = read_part(token, dots[0], a, &header, err);
    if (e == 0)
        e = check_header(header, err);
    if (e == 0)
        e = read_part(token + dots[0] + 1, dots[1] - dots[0] - 1, a, &claims, err);
    if (e == 0)
        e = check_claims(claims, now_s, a, ret, err);
    (void)body_free(header);
    (void)body_free(claims);
    return e == 0 && a->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory") : e;
}
