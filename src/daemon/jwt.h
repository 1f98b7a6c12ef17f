/* jwt.h - a token of AGiXT: a JSON Web Token (RFC 7519), signed with HMAC-SHA-256 by a secret that AGiXT and we share.
 *
 * The signature is checked first, over the bytes as they came and as HS256, whatever the token says of itself: without
 * the secret no client reaches the parser. Then the header has to say HS256, too. Pure: the time is an argument.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"

#define JWT_MAX        4096u /* bytes of a token; AGiXT's have some 250 */
#define JWT_MIN_SECRET 16u   /* a shorter one could be found by trying, by an attacker who has seen one token */
#define JWT_AHEAD_S    60u   /* clocks that disagree: for iat and nbf; exp has no grace */

struct jwt_claims {
    const char *sub;   /* letters, digits and ._@+:- only, up to 100 */
    const char *email; /* NULL: none that can be shown */
    bool is_admin;
    uint64_t exp_s;
};
/* Without «Bearer». 0; or -EACCES, BLAME_CALLER, with what is wrong. Strings live in the arena. */
int jwt_check(const char *token, const void *secret, size_t secret_size, uint64_t now_s, struct arena *a,
              struct jwt_claims *ret, struct error *err);
