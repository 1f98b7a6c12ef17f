/* Tests of what the service reads: bodies, base64, and the words of POST /execute. */
#include "test.h"

#include "audit/hmac.h"
#include "base/buf.h"
#include "daemon/body.h"
#include "base/agent_id.h"
#include "daemon/request.h"
#include "run/load.h"
#include "run/policy.h"

static struct error read_only(const char *text)
{
    struct body *b = NULL;
    struct error err = { 0 };
    if (body_parse(text, strlen(text), false, &b, &err) == 0) {
        (void)body_text(b, "name", 10);
        (void)body_uint(b, "count", 100, 7);
        (void)body_bool(b, "flag", true);
        (void)body_end(b, &err);
    }
    (void)body_free(b);
    return err;
}

TEST(a_body_is_one_json_object_and_nothing_else)
{
    static const char *const bad[] = { "",
                                       "nothing",
                                       "[]",
                                       "1",
                                       "\"x\"",
                                       "null",
                                       "{",
                                       "{}{}",
                                       "{} x",
                                       "{\"name\":}",
                                       "{'name':1}",
                                       "{\"name\":\"a\",}",
                                       "{\"name\":\"a\" \"b\"}",
                                       "{\"name\":\"\xff\"}",
                                       "{\"name\":\"a\",\"name\":\"b\"}",
                                       "{\"name\":\"\\ud800\"}",
                                       "{\"name\":\"a\nb\"}" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(read_only(bad[i]).code, -EBADMSG);
    CHECK_EQ(read_only("{}").code, 0);
    CHECK_EQ(read_only(" {\"name\" : \"a\" , \"count\":5,\"flag\":false}\n").code, 0);
    CHECK_EQ(read_only("{\"name\":null}").code, 0);
}

TEST(what_came_is_known_by_its_kind_and_not_by_the_words_of_its_error)
{
    static const struct {
        const char *text;
        enum body_kind kind;
        int code;
    } cases[] = {
        { "{}", BODY_OBJECT, 0 },        { "[]", BODY_LIST, -EBADMSG },   { "\"no object\"", BODY_TEXT, -EBADMSG },
        { "1", BODY_INTEGER, -EBADMSG }, { "null", BODY_NULL, -EBADMSG }, { "no object", BODY_ABSENT, -EBADMSG },
        { "", BODY_ABSENT, -EBADMSG }
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct body *b = NULL;
        struct error err = { 0 };
        enum body_kind kind = BODY_REAL;
        CHECK_EQ(body_parse_kind(cases[i].text, strlen(cases[i].text), &kind, &b, &err), cases[i].code);
        CHECK_EQ(kind, cases[i].kind);
        (void)body_free(b);
    }
}

TEST(an_object_that_stands_alone_names_its_members_without_what_is_around_it)
{
    static const char text[] = "{\"params\":{\"arguments\":{\"params.arguments.x\":1,\"in\":{\"y\":true}}}}";
    struct body *b = NULL;
    struct error err = { 0 };
    CHECK_EQ(body_parse(text, strlen(text), false, &b, &err), 0);
    struct body *alone = body_object_alone(body_object(b, "params"), "arguments");
    CHECK(alone && body_object(alone, "in"));
    CHECK(body_end(alone, &err) < 0);
    CHECK(str_starts(err.text, "params.arguments.x: unknown member"));
    CHECK_STR(err.field, "params.arguments.x");
    b = body_free(b);
    CHECK_EQ(body_parse(text, strlen(text), false, &b, &err), 0);
    alone = body_object_alone(body_object(b, "params"), "arguments");
    (void)body_text(body_object(alone, "in"), "y", 8);
    CHECK(body_end_open(alone, &err) < 0);
    CHECK_STR(err.field, "in.y");
    (void)body_free(b);
}

TEST(a_member_of_the_wrong_kind_is_named_with_what_is_accepted)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "{\"name\":5}", "name: must be a text" },
        { "{\"name\":\"12345678901\"}", "name: has 11 bytes, accepted are at most 10" },
        { "{\"name\":\"a\\u0000b\"}", "name: contains a NUL" },
        { "{\"count\":101}", "count: must be a whole number from 0 to 100" },
        { "{\"count\":-1}", "count: must be a whole number from 0 to 100" },
        { "{\"count\":1.0}", "count: must be a whole number from 0 to 100" },
        { "{\"count\":\"5\"}", "count: must be a whole number from 0 to 100" },
        { "{\"flag\":1}", "flag: must be true or false" },
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct error err = read_only(bad[i].text);
        CHECK_STR(err.text, bad[i].says);
        CHECK_EQ(err.code, -EINVAL);
        CHECK_EQ(err.blame, BLAME_CALLER);
    }
}

TEST(a_member_that_nobody_knows_is_refused_with_the_nearest_name)
{
    struct error err = read_only("{\"nmae\":\"a\"}");
    CHECK_EQ(err.code, -EBADMSG);
    CHECK_STR(err.text, "nmae: unknown member");
    CHECK_STR(err.remedy, "perhaps name was meant");
    CHECK_EQ(read_only("{\"\x1b[2J\":1}").code, -EBADMSG);
}

TEST(a_body_that_would_cost_more_than_it_is_worth_is_not_parsed)
{
    struct buf deep, wide;
    buf_init(&deep, MIB);
    buf_init(&wide, MIB);
    (void)buf_adds(&deep, "{\"name\":");
    for (int i = 0; i < 5000; i++)
        (void)buf_addc(&deep, '[');
    CHECK(strstr(read_only(deep.data).text, "nested too deeply"));
    (void)buf_adds(&wide, "{\"name\":[0");
    for (int i = 0; i < 200000; i++)
        (void)buf_adds(&wide, ",0");
    (void)buf_adds(&wide, "]}");
    CHECK(strstr(read_only(wide.data).text, "too many members"));
    CHECK_EQ(read_only("{\"name\":\"[[[[[[\\\"[[[[[[[[[[[[[[[[[[\"}").code,
             -EINVAL); /* only too long: brackets in texts do not count */
    buf_done(&deep);
    buf_done(&wide);
}

TEST(numbers_for_limits_are_taken_as_they_were_written)
{
    static const char text[] = "{\"a\":0.5,\"b\":30,\"c\":\"512m\",\"d\":1e300,\"e\":0.25,\"f\":true}";
    struct body *b = NULL;
    struct error err = { 0 };
    CHECK_EQ(body_parse(text, strlen(text), false, &b, &err), 0);
    CHECK_STR(body_scalar(b, "a", 32), "0.5");
    CHECK_STR(body_scalar(b, "b", 32), "30");
    CHECK_STR(body_scalar(b, "c", 32), "512m");
    CHECK_STR(body_scalar(b, "e", 32), "0.25");
    CHECK(!body_scalar(b, "d", 32));
    CHECK(!body_scalar(b, "f", 32));
    CHECK(body_end(b, &err) < 0);
    CHECK(strstr(err.text, "d: is no number"));
    (void)body_free(b);
}

TEST(base64_is_read_strictly_and_written_so_that_it_reads_back)
{
    static const char *const bad[] = { "A",    "AA",   "AAA",   "AB==C", "A===",  "====",   "QUJ=",
                                       "QQ=A", "QU I", "QUI\n", "-_==",  "QUJDR", "QUJ\xcf" };
    unsigned char bytes[1000], back[1400];
    size_t n;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(base64_read(bad[i], strlen(bad[i]), back, &n), -EINVAL);
    for (size_t size = 0; size < sizeof bytes; size++) {
        struct buf b;
        buf_init(&b, 4 * KIB);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)(i * 37 + size);
        base64_write(&b, bytes, size);
        CHECK_EQ(base64_read(b.data, b.size, back, &n), 0);
        CHECK_EQ(n, size);
        CHECK(memcmp(bytes, back, size) == 0);
        buf_done(&b);
    }
}

/* --- POST /execute --------------------------------------------------------------------------------- */

struct asked {
    struct arena arena;
    struct config config;
    struct execute_request request;
    struct error err;
};

static void ask(struct asked *a, const char *text)
{
    const struct http_request q = {
        .method = "POST", .path = "/", .body = text, .body_size = strlen(text), .arena = &a->arena
    };
    a->err = (struct error){ 0 };
    (void)execute_request_read(&q, &a->config, &a->arena, &a->request, &a->err);
}

static void forget(struct asked *a)
{
    execute_request_done(&a->request);
    arena_done(&a->arena);
    a->arena = (struct arena){ 0 };
}

TEST(a_request_to_execute_becomes_typed_options)
{
    static struct asked a;
    ask(&a, "{\"language\":\"bash\",\"code\":\"echo \\u0041\",\"stdin_base64\":\"AAE=\",\"args\":[\"x\",\"y "
            "z\"],\"env\":{\"A\":\"1\"},\"agent_id\":\"me\","
            "\"risk_level\":\"low\",\"limits\":{\"timeout\":1.5,\"memory\":\"64m\",\"cpu\":0.5},\"stream\":true}");
    const struct options *o = &a.request.options;
    CHECK_EQ(a.err.code, 0);
    CHECK(o->has_language && o->language == LANG_BASH);
    CHECK(o->has_level && o->risk_level == RISK_LOW && !o->has_backend);
    CHECK_EQ(o->text_size, 6);
    CHECK(memcmp(o->text, "echo A", 6) == 0);
    CHECK_EQ(o->input_size, 2);
    CHECK_EQ(o->command.count, 2);
    CHECK_STR(strlist_first(&o->env), "A=1");
    CHECK(o->limits[LIMIT_OF_TIMEOUT].is_set && o->limits[LIMIT_OF_TIMEOUT].value == 1500);
    CHECK(o->limits[LIMIT_OF_MEMORY].is_set && o->limits[LIMIT_OF_MEMORY].value == 64 * MIB);
    CHECK(o->limits[LIMIT_OF_CPU].is_set && o->limits[LIMIT_OF_CPU].value == 500);
    CHECK(a.request.is_stream && o->json);
    forget(&a);
}

TEST(files_have_one_entry_and_the_others_come_beside_it)
{
    static struct asked a;
    ask(&a, "{\"language\":\"python\",\"entry\":\"b.py\",\"files\":[{\"path\":\"a.py\",\"content\":\"A\"},{\"path\":"
            "\"b.py\",\"content\":\"BB\"},"
            "{\"path\":\"c\",\"content_base64\":\"AAEC\"}]}");
    CHECK_EQ(a.err.code, 0);
    CHECK_EQ(a.request.options.text_size, 2);
    CHECK_EQ(a.request.options.file_count, 2);
    CHECK_STR(a.request.files[0].path, "a.py");
    CHECK_EQ(a.request.files[1].size, 3);
    forget(&a);
}

TEST(a_request_that_is_not_right_says_where)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "{\"code\":\"x\"}", "language: is missing: python, node, bash, go and rust" },
        { "{\"language\":\"perl\",\"code\":\"x\"}", "language: accepted are python, node, bash, go and rust" },
        { "{\"language\":\"bash\"}", "code: is missing (or files)" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"files\":[]}", "files: is there beside code: one of them" },
        { "{\"language\":\"bash\",\"files\":[{\"path\":\"a\"}]}", "files[0].content: is missing (or content_base64)" },
        { "{\"language\":\"bash\",\"files\":[{\"path\":\"a\",\"content\":\"\",\"content_base64\":\"\"}]}",
          "files[0].content_base64: is there beside content: one of them" },
        { "{\"language\":\"bash\",\"files\":[{\"path\":\"a\",\"content\":\"x\",\"mode\":7}]}",
          "files[0].mode: unknown member" },
        { "{\"language\":\"bash\",\"files\":[{\"path\":\"a\",\"content\":\"x\"}],\"entry\":\"b\"}",
          "entry: is none of the files" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"entry\":\"b\"}", "entry: is for files" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"limits\":{\"disk\":1}}", "limits.disk: unknown member" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"limits\":[]}", "limits: must be an object" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"stdin_base64\":\"?\"}", "stdin_base64: is no base64" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"env\":{\"A\":1}}", "env.A: must be a text" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"env\":{\"A\\n\":1}}", "env.A\\x0a: must be a text" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[\"/a:/b\"]}", "volumes[0]: must be an object" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/a\",\"inside\":\"/w\"}]}",
          "volumes[0].host: is not below" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/../etc\",\"inside\":\"/w\"}]}",
          "volumes[0].host: is no plain absolute path" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"agent_id\":[]}", "agent_id: must be a text" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"agent_id\":\"\"}", "agent_id: accepted are 1 to 128" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"agent_id\":\"a b\"}", "agent_id: accepted are 1 to 128" },
        { "{\"language\":\"bash\",\"code\":\"x\",\"limits\":{\"memory\":\"--timeout\"}}",
          "limits.memory --timeout: accepted is a size" },
    };
    static struct asked a;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        ask(&a, bad[i].text);
        if (!a.err.code || strncmp(a.err.text, bad[i].says, strlen(bad[i].says)) != 0)
            (void)fprintf(stderr, "# %s: «%s»\n", bad[i].text, a.err.text);
        CHECK(a.err.code < 0 && strncmp(a.err.text, bad[i].says, strlen(bad[i].says)) == 0);
        forget(&a);
    }
}

TEST(a_volume_is_taken_only_below_the_roots_that_the_configuration_names)
{
    static struct asked a;
    CHECK_EQ(strlist_add(&a.config.endpoints.api.volume_roots, "/srv/work/"), 0);
    ask(&a, "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/work/a\",\"inside\":\"/"
            "workspace\",\"mode\":\"rw\"}]}");
    CHECK_EQ(a.err.code, 0);
    CHECK_EQ(a.request.options.volume_count, 1);
    CHECK_STR(a.request.options.volumes[0].host, "/srv/work/a");
    CHECK_STR(a.request.options.volumes[0].inside, "/workspace");
    CHECK(a.request.options.volumes[0].is_writable);
    forget(&a);
    ask(&a,
        "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/work/a:b:rw\",\"inside\":\"/w:ro\"}]}");
    CHECK_EQ(a.err.code, 0);
    CHECK_STR(a.request.options.volumes[0].host, "/srv/work/a:b:rw");
    CHECK_STR(a.request.options.volumes[0].inside, "/w:ro");
    CHECK(!a.request.options.volumes[0].is_writable);
    forget(&a);
    ask(&a,
        "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/workers\",\"inside\":\"/workspace\"}]}");
    CHECK(a.err.code < 0);
    forget(&a);
    CHECK_EQ(strlist_add(&a.config.endpoints.api.volume_roots, "/"), 0);
    ask(&a,
        "{\"language\":\"bash\",\"code\":\"x\",\"volumes\":[{\"host\":\"/srv/workers\",\"inside\":\"/workspace\"}]}");
    CHECK_EQ(a.err.code, 0);
    forget(&a);
    strlist_done(&a.config.endpoints.api.volume_roots);
}

TEST(an_error_of_a_request_has_its_field_in_the_words_of_the_api_and_leaves_the_callers_values_as_they_are)
{
    static struct asked a;
    struct load load;
    ask(&a, "{\"language\":\"bash\",\"code\":\"x\",\"env\":{\"--memory --timeout\":\"--volume\"}}");
    CHECK_EQ(a.err.code, 0);
    CHECK(load_request(&a.request.options, &load, &a.err) < 0);
    CHECK_STR(a.err.field, "env");
    CHECK(str_starts(a.err.text, "env --memory --timeout=--volume: not of the form NAME=VALUE"));
    load_done(&load);
    forget(&a);
    ask(&a, "{\"language\":\"bash\",\"code\":\"x\",\"limits\":{\"disk\":1}}");
    CHECK_STR(a.err.field, "limits.disk");
    forget(&a);
}

TEST(a_language_has_aliases_in_any_case_and_one_name)
{
    static const struct {
        const char *word;
        enum language language;
    } good[] = { { "Python", LANG_PYTHON },   { "py", LANG_PYTHON },  { "PYTHON3", LANG_PYTHON },
                 { "JavaScript", LANG_NODE }, { "js", LANG_NODE },    { "nodejs", LANG_NODE },
                 { "sh", LANG_BASH },         { "Shell", LANG_BASH }, { "golang", LANG_GO },
                 { "Go", LANG_GO },           { "rs", LANG_RUST },    { "RUST", LANG_RUST } };
    static const char *const bad[] = { "", "perl", "command", "python ", "pythonx", "c" };
    struct options o = { 0 };
    struct error err = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        CHECK_EQ(options_language(&o, good[i].word, &err), 0);
        CHECK_EQ(o.language, good[i].language);
    }
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(options_language(&o, bad[i], &err) < 0);
}

TEST(an_agent_id_has_one_alphabet)
{
    static const char *const good[] = { "a",
                                        "7",
                                        "_x",
                                        "@scope/agent",
                                        "team/agent-7",
                                        "user@example.org",
                                        "auth0|5f",
                                        "6f1c7c1e-8a39-4b0e-9d0e-2f3f4d5a6b7c",
                                        "a.b:c+d=e,f~g",
                                        "-a",
                                        "%s\"'\\" };
    static const char *const bad[] = { "",
                                       " ",
                                       "a b",
                                       "a\tb",
                                       "a\nb",
                                       "a\x7f",
                                       "a\xc2\xa0", /* nbsp */
                                       "a\xe2\x80\x8b",
                                       /* zero width */ "a\xe2\x80\xae" /* right to left */,
                                       "\xc3\xa9" /* e acute */,
                                       "e\xcc\x81" /* the same, decomposed */,
                                       "\xff" };
    char longest[AGENT_ID_MAX + 2];
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        CHECK(agent_id_is_accepted(good[i]));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!agent_id_is_accepted(bad[i]));
    memset(longest, 'a', sizeof longest);
    longest[AGENT_ID_MAX] = '\0';
    CHECK(agent_id_is_accepted(longest));
    longest[AGENT_ID_MAX] = 'a';
    longest[AGENT_ID_MAX + 1] = '\0';
    CHECK(!agent_id_is_accepted(longest));
}

TEST(a_limit_above_the_levels_is_the_levels_over_http_and_the_users_own_on_the_command_line)
{
    static struct policy_set set;
    struct compiled got;
    struct limits_clamped clamped;
    struct error err = { 0 };
    struct options o = { .has_level = true, .risk_level = RISK_MEDIUM };
    set.level[RISK_MEDIUM].profile.resources.timeout = 120000;
    set.level[RISK_MEDIUM].profile.resources.memory = 256 * MIB;
    set.level[RISK_MEDIUM].profile.resources.cpu = 500;
    CHECK_EQ(options_limit(&o, LIMIT_OF_TIMEOUT, "3600", &err), 0);
    CHECK_EQ(options_limit(&o, LIMIT_OF_MEMORY, "64m", &err), 0);
    CHECK_EQ(policy_load(&o, NULL, &set, NULL, LANG_PYTHON, &got, &err), 0);
    CHECK_EQ(got.profile.resources.timeout, 120000);
    CHECK_EQ(got.profile.resources.memory, 64 * MIB);
    CHECK_EQ(got.profile.resources.cpu, 500);
    policy_clamped(&o, &got.profile, &clamped);
    CHECK_EQ(clamped.count, 1);
    CHECK(clamped.list[0].kind == LIMIT_OF_TIMEOUT && clamped.list[0].requested == 3600000 &&
          clamped.list[0].granted == 120000);
    got.profile.resources.timeout = 3600000; /* as the command line lays it over */
    policy_clamped(&o, &got.profile, &clamped);
    CHECK_EQ(clamped.count, 0);
}
