/* Tokens of AGiXT. The vectors were made with PyJWT; those that it would not make (signed_…), by hand. */
#include <stdio.h>
#include "audit/hmac.h"
#include "daemon/jwt.h"
#include "test.h"

#define SECRET "0123456789abcdef-agixt-shared-secret"
#define NOW    UINT64_C(1700000000)
static const char good[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.SdseDRDJ1nNk8o-nbgUkBi36Vvq4InC62sMUm93K8ZI";
static const char admin[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6dHJ1ZS"
    "wiZXhwIjoyMDAwMDAwMDAwLCJpYXQiOjE3MDAwMDAwMDB9.sYr7O4iH2Q9bcOjszScHPk4STShZwyBrhpqEidXOFKI";
static const char hs512[] = "eyJhbGciOiJIUzUxMiIsInR5cCI6IkpXVCJ9."
                            "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS"
                            "5jb20iLCJhZG1pbiI6ZmFsc2UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.9wjIBQ9pgOE-"
                            "Lt0T1wWBDqmoepPzeue3kUb0PUS-qPNlmfd-Ou02KyFEJcFVejYP7gDBa4XqQHKD4LmFB3XcJg";
static const char none[] = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0."
                           "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5"
                           "jb20iLCJhZG1pbiI6ZmFsc2UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.";
static const char other_secret[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.ZPo8iyZXwGbrGaCfbMtuNwdsSrPw2Y7jYBPEzRa4KVU";
static const char no_exp[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImlhdCI6MTcwMDAwMDAwMH0.5pd-4fBm1-8jCmPuAH0pxO8C3mw3M5i-XGyVFyApm6M";
static const char no_sub[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                             "eyJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxN"
                             "zAwMDAwMDAwfQ.7f6BZ6CWiMBPIvFxiQOtbHICcOASt65569eYaTnRnYU";
static const char odd_sub[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                              "eyJzdWIiOiJhIGJcbiIsImVtYWlsIjoidXNlckBleGFtcGxlLmNvbSIsImFkbWluIjpmYWxzZSwiZXhwIjoyMDAw"
                              "MDAwMDAwLCJpYXQiOjE3MDAwMDAwMDB9.7GAWQ_WAZ9G5BW4J01HI_btJBNWbVbztAq-2rJhDo6Q";
static const char exp_text[] =
    "eyJhbGciOiJIUzI1NiJ9."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6ICIyMDAwMDAwMDAwIiwgImlhdCI6IDE3MDAwMDAwMDB9.bCsiY3EOAhYcGlIzmixLvNCyTqmYAVm8F83mzTEuraE";
static const char sub_number[] = "eyJhbGciOiJIUzI1NiJ9."
                                 "eyJzdWIiOiA3LCAiZW1haWwiOiAidXNlckBleGFtcGxlLmNvbSIsICJhZG1pbiI6IGZhbHNlLCAiZXhwIjogM"
                                 "jAwMDAwMDAwMCwgImlhdCI6IDE3MDAwMDAwMDB9.BpvkBnqSdT1NlcxQbJxBrfo1c90YjEYRBfYrrh5VTUM";
static const char aud[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwLCJhdWQiOiJvdGhlciJ9.q17HkzyFGZNTLPkTSjuhwnsB-wb5qau1eRGhylgx_o8";
static const char future[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAxMDAwfQ.E3pm12cnNUzojk3sWZaTmF5D4NlaGyTBpqnetkt9NK0";
static const char not_before[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                                 "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhb"
                                 "XBsZS5jb20iLCJhZG1pbiI6ZmFsc2UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwLCJuYmYiOj"
                                 "E3MDAwMDEwMDB9.1D9sxFy7pK-P9ABXik-66AlKZ-E7KFqI37Ryjp_bhEw";
static const char crit[] =
    "eyJhbGciOiJIUzI1NiIsImNyaXQiOlsieCJdLCJ0eXAiOiJKV1QifQ."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.EgUxQnCeQdNI8MyzBDqpygIcmraJ1fhb8LN47g3joF4";
static const char typ[] =
    "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9."
    "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5jb20iLCJhZG1pbiI6ZmFsc2"
    "UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwfQ.Y-pWA5YXq8iPyBVWlpjXGboq7v_u59X3xyfhVwzHQY8";
static const char more[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                           "eyJzdWIiOiI1ZjBiNmYxZS04YjFjLTRhNTctOWQzOS0wZDZhNGExZDBjMTEiLCJlbWFpbCI6InVzZXJAZXhhbXBsZS5"
                           "jb20iLCJhZG1pbiI6ZmFsc2UsImV4cCI6MjAwMDAwMDAwMCwiaWF0IjoxNzAwMDAwMDAwLCJqdGkiOiJ4IiwiZmlyc3"
                           "RfbmFtZSI6IkFubiJ9.AXAWAy4iGwOeVThhqunoqAWx8kzb2wcMHbQgvvJ6Jt0";
static const char signed_none[] =
    "eyJhbGciOiJub25lIn0."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMDAwMDAwfQ.GK6xfgIHT6Khe6lSUCu2yj8ZoBjKAL_tRM5WTmeOAyw";
static const char signed_rs256[] =
    "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMDAwMDAwfQ.ZCSGlMr9LqDoqVnp9MK1_BVRcesmySXR2agdFKLvJbQ";
static const char signed_no_alg[] =
    "e30."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMDAwMDAwfQ.HmnMtZ1WkdJlsCfQDYvsvPTYEEdS4IcDnSp7bEN63h4";
static const char signed_list[] =
    "W10."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMDAwMDAwfQ.aKabA8jqiki1rJ-s-quLd6oHY_W1PQrTdjZcD_oRPF0";
static const char signed_no_json[] = "eyJhbGciOiJIUzI1NiJ9.ew.Ss-oLnKDEFQpP0E39ooOWED5Ra7LsH0PwZA0UErQxAg";
static const char signed_twice[] = "eyJhbGciOiJIUzI1NiJ9."
                                   "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJ"
                                   "AZXhhbXBsZS5jb20iLCAiYWRtaW4iOiBmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMD"
                                   "AwMDAwLCJzdWIiOiJyb290In0.couhiP3jw7bbFF5P5QWv9g3extoN8GOTSkerq_X-5yI";
static const char signed_two_algs[] =
    "eyJhbGciOiJIUzI1NiIsImFsZyI6Im5vbmUifQ."
    "eyJzdWIiOiAiNWYwYjZmMWUtOGIxYy00YTU3LTlkMzktMGQ2YTRhMWQwYzExIiwgImVtYWlsIjogInVzZXJAZXhhbXBsZS5jb20iLCAiYWRtaW4iOi"
    "BmYWxzZSwgImV4cCI6IDIwMDAwMDAwMDAsICJpYXQiOiAxNzAwMDAwMDAwfQ.VJb5C_UVWgZdvKripAXOvIdfIeGdkoJrJIuo5mTRCHQ";

static int check_at(const char *token, uint64_t now, struct error *err)
{
    struct arena a = { 0 };
    struct jwt_claims c;
    int e = jwt_check(token, SECRET, sizeof SECRET - 1, now, &a, &c, err);
    arena_done(&a);
    return e;
}

static void expect_refused(const char *token, const char *why)
{
    struct error err = { 0 };
    CHECK_EQ(check_at(token, NOW, &err), -EACCES);
    CHECK_EQ(err.blame, BLAME_CALLER);
    if (!strstr(err.text, why))
        (void)fprintf(stderr, "# «%s» is not in «%s»\n", why, err.text);
    CHECK(strstr(err.text, why));
}

TEST(a_token_of_agixt_names_its_user)
{
    struct arena a = { 0 };
    struct jwt_claims c;
    CHECK_EQ(jwt_check(good, SECRET, sizeof SECRET - 1, NOW, &a, &c, NULL), 0);
    CHECK_STR(c.sub, "5f0b6f1e-8b1c-4a57-9d39-0d6a4a1d0c11");
    CHECK_STR(c.email, "user@example.com");
    CHECK(!c.is_admin && c.exp_s == 2000000000);
    CHECK_EQ(jwt_check(admin, SECRET, sizeof SECRET - 1, NOW, &a, &c, NULL), 0);
    CHECK(c.is_admin);
    CHECK_EQ(jwt_check(more, SECRET, sizeof SECRET - 1, NOW, &a, &c, NULL), 0); /* claims that are not ours */
    arena_done(&a);
}

TEST(a_token_is_good_until_the_second_at_which_it_expires)
{
    CHECK_EQ(check_at(good, 1999999999, NULL), 0);
    CHECK_EQ(check_at(good, 2000000000, NULL), -EACCES);
    CHECK_EQ(check_at(future, NOW, NULL), -EACCES);
    CHECK_EQ(check_at(future, NOW + 1000 - JWT_AHEAD_S, NULL), 0);
}

TEST(no_other_algorithm_is_accepted_whatever_the_token_says)
{
    expect_refused(none, "signature");
    expect_refused(hs512, "signature");
    expect_refused(other_secret, "signature");
    expect_refused(signed_none, "algorithm");
    expect_refused(signed_rs256, "algorithm");
    expect_refused(signed_no_alg, "algorithm");
    expect_refused(signed_two_algs, "JSON");
}

TEST(claims_that_are_missing_or_wrong_are_refused)
{
    expect_refused(no_exp, "expires");
    expect_refused(exp_text, "expires");
    expect_refused(no_sub, "user");
    expect_refused(odd_sub, "user");
    expect_refused(sub_number, "form");
    expect_refused(aud, "another audience");
    expect_refused(not_before, "future");
    expect_refused(crit, "header");
    expect_refused(typ, "header");
    expect_refused(signed_list, "JSON");
    expect_refused(signed_no_json, "JSON");
    expect_refused(signed_twice, "JSON");
}

TEST(what_has_not_the_form_of_a_token_is_refused)
{
    char longer[JWT_MAX + 2], changed[sizeof good], short_secret[] = "0123456789abcde";
    static const char *const bad[] = { "", ".", "..", "...", "a.b", "a.b.c.d", "a.b.c", "Bearer a.b.c" };
    struct arena a = { 0 };
    struct jwt_claims c;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(check_at(bad[i], NOW, NULL), -EACCES);
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    expect_refused(longer, "longer than 4096");
    for (size_t i = 0; i < sizeof good - 1; i++) { /* each character counts */
        memcpy(changed, good, sizeof good);
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        CHECK_EQ(check_at(changed, NOW, NULL), -EACCES);
    }
    (void)snprintf(changed, sizeof changed, "%.*s=", (int)(sizeof good - 2), good);
    CHECK_EQ(check_at(changed, NOW, NULL), -EACCES);
    CHECK_EQ(jwt_check(good, short_secret, sizeof short_secret - 1, NOW, &a, &c, NULL), -EACCES);
    arena_done(&a);
}
