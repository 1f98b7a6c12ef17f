/* Tests of src/daemon/answer.c: every code has its status and its name, and errors have the one form of the contract.
 */
#include "test.h"

#include "daemon/answer.h"

#include <jansson.h>

TEST(every_error_code_of_the_service_has_a_status_and_a_name_of_its_own)
{
    for (unsigned i = 0; i < ANSWER_CODES; i++) {
        CHECK(answer_status(i) >= 400 && answer_status(i) < 600);
        CHECK(answer_code_name(i) && *answer_code_name(i));
        for (unsigned k = 0; k < i; k++)
            CHECK(!str_eq(answer_code_name(i), answer_code_name(k)));
    }
    CHECK_EQ(answer_status(ANSWER_CODES), 500);
    CHECK_STR(answer_code_name(ANSWER_CODES), "internal_error");
}

static json_t *body_of(const struct http_answer *a)
{
    json_error_t why;
    CHECK(a->body.data && a->body.data[a->body.size - 1] == '\n');
    json_t *root = json_loadb(a->body.data, a->body.size, JSON_REJECT_DUPLICATES, &why);
    CHECK(root);
    return root;
}

static const char *detail(json_t *root, const char *key)
{
    json_t *details = json_object_get(json_object_get(root, "error"), "details");
    CHECK(json_is_object(details));
    return json_string_value(json_object_get(details, key));
}

static const char *header(const struct http_answer *a, const char *name)
{
    for (size_t i = 0; i < HTTP_MAX_HEADERS; i++)
        if (a->headers[i].name && str_eq(a->headers[i].name, name))
            return a->headers[i].value;
    return NULL;
}

TEST(an_error_answer_carries_step_remedy_rule_and_what_a_handler_adds)
{
    struct arena arena = { 0 };
    struct http_answer a = { 0 };
    struct error err;
    (void)err_set(&err, -EPERM, BLAME_POLICY, "SECCOMP", "no \"such\" call");
    (void)err_remedy(&err, "ask less");
    const struct answer_details d = {
        .rule = "scan", .execution_id = "ex-1", .retry_after_ms = 1, .more = "\"findings\":[1,2]"
    };
    answer_error(&a, &arena, ANSWER_POLICY_DENIED, &err, &d);
    CHECK_EQ(a.status, 403);
    json_t *root = body_of(&a), *error = json_object_get(root, "error");
    CHECK_STR(json_string_value(json_object_get(error, "code")), "policy_denied");
    CHECK_STR(json_string_value(json_object_get(error, "message")), "no \"such\" call");
    CHECK_STR(detail(root, "step"), "SECCOMP");
    CHECK_STR(detail(root, "remedy"), "ask less");
    CHECK_STR(detail(root, "rule"), "scan");
    CHECK_STR(detail(root, "execution_id"), "ex-1");
    CHECK_EQ(json_array_size(json_object_get(json_object_get(error, "details"), "findings")), 2);
    CHECK_EQ(json_integer_value(json_object_get(json_object_get(error, "details"), "retry_after_seconds")), 1);
    CHECK_STR(header(&a, "Retry-After"), "1");
    json_decref(root);
    buf_done(&a.body);
    arena_done(&arena);
}

TEST(what_an_error_answer_does_not_know_is_not_there_and_details_are_still_an_object)
{
    struct arena arena = { 0 };
    struct http_answer a = { 0 };
    answer_fail(&a, &arena, ANSWER_NOT_FOUND, "nobody is here");
    CHECK_EQ(a.status, 404);
    CHECK_STR(a.body.data, "{\"error\":{\"code\":\"not_found\",\"message\":\"nobody is here\",\"details\":{}}}\n");
    CHECK(!header(&a, "Retry-After"));
    buf_done(&a.body);
    answer_error(&a, &arena, ANSWER_QUEUE_FULL, NULL, &(struct answer_details){ .more = "\"waiting\":3" });
    CHECK_STR(a.body.data,
              "{\"error\":{\"code\":\"queue_full\",\"message\":\"queue_full\",\"details\":{\"waiting\":3}}}\n");
    buf_done(&a.body);
    arena_done(&arena);
}

TEST(an_answer_that_was_begun_is_replaced_by_its_error_and_too_many_details_leave_the_error)
{
    struct arena arena = { 0 };
    struct http_answer a = { 0 };
    (void)buf_adds(answer_json(&a, 200, 64), "{\"half\":");
    char *much = malloc(MIB);
    CHECK(much);
    memset(much, ' ', MIB - 1);
    much[MIB - 1] = '\0';
    answer_error(&a, &arena, ANSWER_RATE_LIMITED, NULL,
                 &(struct answer_details){ .more = much, .retry_after_ms = 59001 });
    free(much);
    CHECK_EQ(a.status, 429);
    CHECK_STR(a.body.data, "{\"error\":{\"code\":\"rate_limited\",\"message\":\"rate_limited\",\"details\":{}}}\n");
    CHECK_STR(header(&a, "Retry-After"), "60");
    buf_done(&a.body);
    arena_done(&arena);
}
