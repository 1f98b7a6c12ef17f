/* Tests of src/daemon/routes.c: which path is whose. (Who may, and what is answered:
 * tests/integration/service/test_routes.py.) */
#include "test.h"

#include "daemon/routes.h"

#define BASE "/api/v1/sandbox"

struct found {
    const struct route *route;
    const char *parts[2], *allow;
    struct arena arena;
};

static struct found find(const char *method, const char *path)
{
    struct found f = { 0 };
    f.route = route_find(BASE, method, path, f.parts, &f.allow, &f.arena);
    return f;
}

static void check_found(const char *method, const char *path, const char *pattern, const char *first,
                        const char *second)
{
    struct found f = find(method, path);
    CHECK(f.route && !f.allow);
    CHECK_STR(f.route->pattern, pattern);
    CHECK_STR(f.route->method, method);
    CHECK(!first == !f.parts[0] && (!first || str_eq(f.parts[0], first)));
    CHECK(!second == !f.parts[1] && (!second || str_eq(f.parts[1], second)));
    arena_done(&f.arena);
}

static void check_none(const char *method, const char *path, const char *allow)
{
    struct found f = find(method, path);
    CHECK(!f.route);
    CHECK(!allow == !f.allow && (!allow || str_eq(f.allow, allow)));
    arena_done(&f.arena);
}

TEST(every_route_is_found_by_its_own_pattern_and_no_two_are_the_same)
{
    for (size_t i = 0; i < routes_count; i++) {
        char path[256];
        const struct route *r = &routes_table[i];
        (void)snprintf(path, sizeof path, "%s%s", r->flags & ROUTE_OUTSIDE ? "" : BASE, r->pattern);
        struct found f = find(r->method, path); /* braces are characters like others */
        CHECK(f.route == r);
        arena_done(&f.arena);
    }
}

TEST(a_path_is_told_apart_by_its_words_and_what_stands_between_them_is_given)
{
    check_found("GET", "/healthz", "/healthz", NULL, NULL);
    check_found("GET", BASE "/executions", "/executions", NULL, NULL);
    check_found("GET", BASE "/executions/exec-1", "/executions/{execution_id}", "exec-1", NULL);
    check_found("GET", BASE "/executions/events", "/executions/{execution_id}", "events", NULL);
    check_found("GET", BASE "/executions/x/artifacts/a.txt", "/executions/{execution_id}/artifacts/{name}", "x",
                "a.txt");
    check_found("GET", BASE "/executions/x/artifacts/dir/a.txt", "/executions/{execution_id}/artifacts/{name}", "x",
                "dir/a.txt");
    check_found("DELETE", BASE "/keys/key-1", "/keys/{key_id}", "key-1", NULL);
}

TEST(an_agents_id_may_have_slashes_where_no_other_path_fits)
{
    check_found("GET", BASE "/agents/a/b", "/agents/{agent_id}", "a/b", NULL);
    check_found("PATCH", BASE "/agents/a/b/c", "/agents/{agent_id}", "a/b/c", NULL);
    check_found("POST", BASE "/agents/a/b/ban", "/agents/{agent_id}/ban", "a/b", NULL);
    check_found("POST", BASE "/agents/ban/ban", "/agents/{agent_id}/ban", "ban", NULL);
    check_found("GET", BASE "/agents/ban", "/agents/{agent_id}", "ban", NULL);
    check_none("GET", BASE "/agents/a/ban", "POST");
    check_none("GET", BASE "/profiles/a/b", NULL);
    check_found("DELETE", BASE "/keys/a/b", "/keys/{key_id}", "a/b", NULL);
}

TEST(what_goes_to_a_port_is_all_that_follows)
{
    static const char pattern[] = "/sessions/{session_id}/ports/{target}";
    check_found("GET", BASE "/sessions/s/ports/80", pattern, "s", "80");
    check_found("OPTIONS", BASE "/sessions/s/ports/80/", pattern, "s", "80/");
    check_found("PUT", BASE "/sessions/s/ports/80//a/files/", pattern, "s", "80//a/files/");
    check_none("GET", BASE "/sessions/s/ports/", NULL);
    check_none("TRACE", BASE "/sessions/s/ports/80/", "GET, POST, PUT, PATCH, DELETE, OPTIONS");
}

TEST(a_path_with_too_much_or_too_little_is_none)
{
    check_none("GET", "", NULL);
    check_none("GET", "/", NULL);
    check_none("GET", BASE, NULL);
    check_none("GET", BASE "/", NULL);
    check_none("GET", BASE "x/agents", NULL);
    check_none("GET", "/agents", NULL);
    check_none("GET", BASE "/healthz", NULL);
    check_none("GET", BASE "/agents/", NULL);
    check_none("GET", BASE "//agents", NULL);
    check_none("GET", BASE "/agents/a/", NULL);
    check_none("GET", BASE "/agents//a", NULL);
    check_none("POST", BASE "/agents//ban", NULL);
    check_none("GET", BASE "/executions//events", NULL);
    check_none("GET", BASE "/executions/x/artifacts/", NULL);
    check_none("GET", BASE "/agent", NULL);
    check_none("GET", BASE "/agentss", NULL);
}

TEST(a_path_with_another_method_names_those_that_it_has)
{
    check_none("PUT", BASE "/executions", "POST, GET");
    check_none("get", BASE "/executions", "POST, GET");
    check_none("POST", BASE "/agents/x", "GET, PATCH");
    check_none("POST", BASE "/agents/x/y", "GET, PATCH");
    check_none("DELETE", "/healthz", "GET");
}

TEST(a_refusal_of_the_server_has_a_code_of_the_contract_whatever_it_is_called)
{
    static const struct {
        unsigned status;
        const char *code, *wanted;
    } rows[] = { { 400, "invalid_request", "invalid_request" },
                 { 403, "forbidden", "forbidden" },
                 { 403, "origin", "forbidden" },
                 { 431, NULL, "headers_too_large" },
                 { 418, "teapot", "invalid_request" },
                 { 505, "version", "internal_error" },
                 { 503, "unavailable", "unavailable" } };
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct buf b;
        char wanted[64];
        buf_init(&b, 4096);
        routes_refuse(NULL, NULL, rows[i].status, rows[i].code, "no", &b);
        (void)snprintf(wanted, sizeof wanted, "{\"error\":{\"code\":\"%s\",", rows[i].wanted);
        CHECK(b.data && str_starts(b.data, wanted));
        buf_done(&b);
    }
}
