#include "test.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/feature.h"
#include "base/integral.h"
#include "base/json.h"
#include "base/pack.h"
#include "base/parse.h"
#include "base/path.h"
#include "base/strlist.h"

/* ---- parse ---- */

TEST(paths_meet_where_one_is_the_other_or_lies_above_it)
{
    CHECK(path_meets("/home", "/home") && path_meets("/home", "/home/a/b") && path_meets("/home/a", "/home"));
    CHECK(!path_meets("/home", "/homes") && !path_meets("/home/a", "/home/b") && !path_meets("/a", "/b/a"));
}

TEST(a_path_is_within_a_directory_and_is_plain)
{
    CHECK(path_is_within("/a/b", "/a") && path_is_within("/a", "/a") && path_is_within("/a/b", "/a/"));
    CHECK(path_is_within("/a", "/") && path_is_within("/", "/") && path_is_within("a/b", "a"));
    CHECK(!path_is_within("/ab", "/a") && !path_is_within("/", "/a") && !path_is_within("a", "/"));
    CHECK(path_is_plain("/") && path_is_plain("/a/b") && path_is_plain("/a/..b"));
    CHECK(!path_is_plain(NULL) && !path_is_plain("") && !path_is_plain("a") && !path_is_plain("/a//b"));
    CHECK(!path_is_plain("/a/../b") && !path_is_plain("/..") && !path_is_plain("/a/.") && !path_is_plain("/./a"));
}

TEST(sizes_are_read_with_binary_units_in_any_case)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } good[] = {
        { "0", 0 },           { "65536", 65536 },      { "512m", 512 * MIB }, { "1g", GIB },   { "64MiB", 64 * MIB },
        { "10kb", 10 * KIB }, { "1.5g", 3 * GIB / 2 }, { "2T", 2048 * GIB },  { "100b", 100 }, { "0.5k", 512 }
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++) {
        uint64_t v = 1;
        CHECK_EQ(parse_size(good[i].text, &v), 0);
        CHECK_EQ(v, good[i].bytes);
    }
}

TEST(bad_sizes_are_refused_and_leave_the_result_alone)
{
    static const char *const bad[] = { "",          " 1",  "1 ",   "m",    "1x",
                                       "-1",        "+1",  "1.5",  "1.5b", "1.1234g",
                                       ".5g",       "1e3", "0x10", "1mm",  "99999999999999999999",
                                       "16777216t", "1.g", "١" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        uint64_t v = 42;
        CHECK(parse_size(bad[i], &v) < 0);
        CHECK_EQ(v, 42);
    }
}

TEST(cores_are_read_as_thousandths)
{
    uint32_t v;
    CHECK(parse_cpu("0.25", &v) == 0 && v == 250);
    CHECK(parse_cpu("2", &v) == 0 && v == 2000);
    CHECK(parse_cpu("1.0", &v) == 0 && v == 1000);
    CHECK(parse_cpu("1024", &v) == 0 && v == 1024000);
    CHECK_EQ(parse_cpu("1024.001", &v), -ERANGE);
    CHECK_EQ(parse_cpu("0.1234", &v), -EINVAL);
    CHECK_EQ(parse_cpu("1c", &v), -EINVAL);
    CHECK_EQ(parse_cpu("", &v), -EINVAL);
    CHECK_EQ(v, 1024000);
}

TEST(durations_are_seconds_unless_a_unit_says_otherwise)
{
    uint64_t v;
    CHECK(parse_duration("30", &v) == 0 && v == 30000);
    CHECK(parse_duration("1.5", &v) == 0 && v == 1500);
    CHECK(parse_duration("500ms", &v) == 0 && v == 500);
    CHECK(parse_duration("5m", &v) == 0 && v == 300000);
    CHECK(parse_duration("1h", &v) == 0 && v == 3600000);
    CHECK(parse_duration("168h", &v) == 0 && v == UINT64_C(604800000));
    CHECK(parse_duration("365d", &v) == 0 && v == UINT64_C(365) * 24 * 3600 * 1000);
    CHECK_EQ(parse_duration("366d", &v), -ERANGE);
    CHECK_EQ(parse_duration("99999999999999999", &v), -ERANGE);
    CHECK_EQ(parse_duration("1w", &v), -EINVAL);
    CHECK_EQ(parse_duration("-1", &v), -EINVAL);
}

TEST(ratios_lie_between_zero_and_one)
{
    uint32_t v;
    CHECK(parse_ratio("0", &v) == 0 && v == 0);
    CHECK(parse_ratio("0.05", &v) == 0 && v == 50);
    CHECK(parse_ratio("1.0", &v) == 0 && v == 1000);
    CHECK_EQ(parse_ratio("1.001", &v), -ERANGE);
    CHECK_EQ(parse_ratio("-0.1", &v), -EINVAL);
}

TEST(booleans_have_six_words)
{
    bool v;
    CHECK(parse_bool("true", &v) == 0 && v);
    CHECK(parse_bool("No", &v) == 0 && !v);
    CHECK(parse_bool("ON", &v) == 0 && v);
    CHECK(parse_bool("1", &v) < 0);
    CHECK(parse_bool("", &v) < 0);
    CHECK(parse_bool("truee", &v) < 0);
}

TEST(users_are_two_numbers_or_one)
{
    uint32_t uid, gid;
    CHECK(parse_user("1000:100", &uid, &gid) == 0 && uid == 1000 && gid == 100);
    CHECK(parse_user("7", &uid, &gid) == 0 && uid == 7 && gid == 7);
    CHECK(parse_user("root", &uid, &gid) < 0);
    CHECK(parse_user("1:", &uid, &gid) < 0);
    CHECK(parse_user("1:2:3", &uid, &gid) < 0);
    CHECK_EQ(parse_user("4294967295", &uid, &gid), -ERANGE);
    CHECK_EQ(uid, 7);
}

TEST(whole_numbers_do_not_wrap)
{
    uint64_t v;
    CHECK(parse_u64("18446744073709551615", &v) == 0 && v == UINT64_MAX);
    CHECK_EQ(parse_u64("18446744073709551616", &v), -ERANGE);
    CHECK_EQ(parse_u64("1_000", &v), -EINVAL);
    CHECK_EQ(parse_u64("", &v), -EINVAL);
}

TEST(formatted_numbers_read_back_as_themselves)
{
    static const uint64_t sizes[] = { 0, 1, 1023, 1024, 1025, 512 * MIB, GIB, 3 * GIB / 2, 1024 * GIB };
    char text[32];
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint64_t v;
        CHECK(parse_size(format_size(sizes[i], text), &v) == 0);
        CHECK_EQ(v, sizes[i]);
    }
    for (uint32_t milli = 0; milli < 3000; milli += 7) {
        uint32_t v;
        CHECK(parse_cpu(format_milli(milli, text), &v) == 0);
        CHECK_EQ(v, milli);
    }
    CHECK_STR(format_milli(250, text), "0.25");
    CHECK_STR(format_milli(1000, text), "1");
    CHECK_STR(format_size(64 * MIB, text), "64m");
}

TEST(the_nearest_word_is_near_or_nothing)
{
    static const char *const known[] = { "memory", "cpu", "timeout", "storage" };
    CHECK_STR(nearest_word("memry", known, ARRAY_LEN(known)), "memory");
    CHECK_STR(nearest_word("timout", known, ARRAY_LEN(known)), "timeout");
    CHECK(nearest_word("zzzzzz", known, ARRAY_LEN(known)) == NULL);
    CHECK(nearest_word("x", known, 0) == NULL);
    char long_word[200];
    memset(long_word, 'm', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    CHECK(nearest_word(long_word, known, ARRAY_LEN(known)) == NULL);
}

/* ---- buf ---- */

TEST(a_buffer_stops_at_its_maximum_and_stays_failed)
{
    struct buf b;
    buf_init(&b, 8);
    CHECK_EQ(buf_adds(&b, "12345678"), 0);
    CHECK_EQ(b.size, 8);
    CHECK_EQ(b.data[8], '\0');
    CHECK_EQ(buf_addc(&b, '9'), -EMSGSIZE);
    CHECK(b.failed);
    CHECK_STR(b.data, "12345678");
    CHECK_EQ(buf_adds(&b, ""), -EMSGSIZE);
    buf_done(&b);
    CHECK(b.data == NULL);
    CHECK_EQ(buf_addc(&b, 'x'), -EMSGSIZE); /* a done buffer cannot grow */
}

TEST(formatted_text_longer_than_the_inner_buffer_is_whole)
{
    struct buf b;
    char wide[600];
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    buf_init(&b, 4096);
    CHECK_EQ(buf_addf(&b, "<%s>", wide), 0);
    CHECK_EQ(b.size, 601);
    CHECK(b.data[0] == '<' && b.data[600] == '>' && b.data[601] == '\0');
    CHECK_EQ(buf_addf(&b, "%d", 7), 0);
    CHECK_EQ(b.size, 602);
    buf_done(&b);
    buf_init(&b, 100);
    CHECK_EQ(buf_addf(&b, "<%s>", wide), -EMSGSIZE);
    CHECK_EQ(b.size, 0);
    buf_done(&b);
}

/* ---- strlist ---- */

TEST(a_list_is_one_run_of_bytes_in_order)
{
    struct strlist l = { 0 };
    CHECK_EQ(strlist_add(&l, "one"), 0);
    CHECK_EQ(strlist_add(&l, ""), 0);
    CHECK_EQ(strlist_addf(&l, "K=%d", 3), 0);
    CHECK_EQ(l.count, 3);
    CHECK_EQ(l.size, 9);
    CHECK(memcmp(l.data, "one\0\0K=3", 9) == 0);
    CHECK(strlist_has(&l, "") && strlist_has(&l, "one") && !strlist_has(&l, "on"));
    CHECK_STR(strlist_get(&l, "K"), "3");
    CHECK(strlist_get(&l, "one") == NULL);
    char **argv = strlist_argv(&l);
    CHECK_STR(argv[2], "K=3");
    CHECK(argv[3] == NULL);
    free(argv);
    strlist_done(&l);
    CHECK(strlist_first(&l) == NULL);
}

TEST(a_list_has_a_maximum)
{
    struct strlist l = { 0 };
    char item[1024];
    memset(item, 'i', sizeof item - 1);
    item[sizeof item - 1] = '\0';
    for (int i = 0; i < 64; i++)
        CHECK_EQ(strlist_add(&l, item), 0);
    CHECK_EQ(strlist_add(&l, ""), -E2BIG);
    CHECK_EQ(l.count, 64);
    strlist_done(&l);
}

TEST(a_borrowed_list_does_not_grow_and_is_not_freed)
{
    static char bytes[] = "a\0b";
    struct strlist l = { .data = bytes, .size = 4, .count = 2 };
    CHECK_EQ(strlist_add(&l, "c"), -EPERM);
    strlist_done(&l);
    CHECK_EQ(bytes[0], 'a');
}

TEST(list_bytes_are_checked_before_they_are_believed)
{
    CHECK(strlist_is_valid("", 0, 0));
    CHECK(strlist_is_valid("a\0b", 4, 2));
    CHECK(!strlist_is_valid("a\0b", 3, 2)); /* no NUL at the end */
    CHECK(!strlist_is_valid("a\0b", 4, 3));
    CHECK(!strlist_is_valid("a", 2, 0));
    CHECK(!strlist_is_valid("", 0, 1));
}

/* ---- pack ---- */

struct inner {
    const char *name;
    uint16_t port;
};
struct outer {
    uint8_t small;
    uint64_t big;
    bool is_on;
    const char *text, *none;
    struct strlist list;
    struct bytes bytes;
    uint32_t inner_count;
    struct inner inner[3];
};
static const struct field inner_fields[] = { FIELD_S(struct inner, name), FIELD_U(struct inner, port, UINT16_MAX) };
static const struct field outer_fields[] = {
    FIELD_U(struct outer, small, 9), FIELD_U(struct outer, big, UINT64_MAX),
    FIELD_U(struct outer, is_on, 1), FIELD_S(struct outer, text),
    FIELD_S(struct outer, none),     FIELD_L(struct outer, list),
    FIELD_B(struct outer, bytes),    FIELD_A(struct outer, inner, inner_count, inner_fields)
};

static struct outer outer_sample(struct strlist *l)
{
    (void)strlist_add(l, "x");
    (void)strlist_add(l, "yy");
    return (struct outer){ .small = 7,
                           .big = UINT64_MAX,
                           .is_on = true,
                           .text = "",
                           .none = NULL,
                           .list = *l,
                           .bytes = { "\0\1\2", 3 },
                           .inner_count = 2,
                           .inner = { { "a", 80 }, { "b", 65535 } } };
}

TEST(a_packed_struct_comes_back_whole)
{
    struct strlist l = { 0 };
    struct outer in = outer_sample(&l), out = { 0 };
    struct buf b;
    buf_init(&b, 4096);
    pack_fields(&b, outer_fields, ARRAY_LEN(outer_fields), &in);
    struct unpack u = unpack_start(b.data, b.size);
    unpack_fields(&u, outer_fields, ARRAY_LEN(outer_fields), &out);
    CHECK_EQ(unpack_end(&u), 0);
    CHECK(out.small == 7 && out.big == UINT64_MAX && out.is_on);
    CHECK_STR(out.text, "");
    CHECK(out.none == NULL);
    CHECK(out.list.count == 2 && out.list.cap == 0 && strlist_has(&out.list, "yy"));
    CHECK(out.bytes.size == 3 && memcmp(out.bytes.data, "\0\1\2", 3) == 0);
    CHECK(out.inner_count == 2 && out.inner[1].port == 65535);
    CHECK_STR(out.inner[1].name, "b");
    buf_done(&b);
    strlist_done(&l);
}

TEST(every_truncation_of_a_packed_struct_is_refused)
{
    struct strlist l = { 0 };
    struct outer in = outer_sample(&l);
    struct buf b;
    buf_init(&b, 4096);
    pack_fields(&b, outer_fields, ARRAY_LEN(outer_fields), &in);
    for (size_t n = 0; n < b.size; n++) {
        struct outer out = { 0 };
        char *cut = malloc(n + 1); /* exact: the sanitizer sees a byte too many */
        CHECK(cut);
        memcpy(cut, b.data, n);
        struct unpack u = unpack_start(cut, n);
        unpack_fields(&u, outer_fields, ARRAY_LEN(outer_fields), &out);
        CHECK_EQ(unpack_end(&u), -EBADMSG);
        free(cut);
    }
    (void)buf_addc(&b, 'x');
    struct outer out = { 0 };
    struct unpack u = unpack_start(b.data, b.size);
    unpack_fields(&u, outer_fields, ARRAY_LEN(outer_fields), &out);
    CHECK_EQ(unpack_end(&u), -EBADMSG); /* a byte too many */
    buf_done(&b);
    strlist_done(&l);
}

TEST(numbers_beyond_their_field_are_refused)
{
    struct outer out = { 0 };
    struct buf b;
    buf_init(&b, 64);
    pack_u64(&b, 10); /* small takes at most 9 */
    struct unpack u = unpack_start(b.data, b.size);
    unpack_fields(&u, outer_fields, 1, &out);
    CHECK_EQ(unpack_end(&u), -EBADMSG);
    CHECK_EQ(out.small, 0);
    buf_done(&b);
}

TEST(a_failed_reader_gives_zeros_and_stays_failed)
{
    struct unpack u = unpack_start("\xff\xff\xff\xff", 4);
    CHECK(unpack_str(&u) == NULL);
    CHECK(u.failed);
    CHECK_EQ(unpack_u64(&u), 0);
    CHECK_EQ(unpack_list(&u).count, 0);
    CHECK_EQ(unpack_bytes(&u).size, 0);
    CHECK_EQ(unpack_end(&u), -EBADMSG);
}

TEST(a_string_with_a_nul_inside_is_refused)
{
    struct buf b;
    buf_init(&b, 64);
    pack_bytes(&b, (struct bytes){ "a\0b", 4 });
    struct unpack u = unpack_start(b.data, b.size);
    CHECK(unpack_str(&u) == NULL);
    CHECK(u.failed);
    buf_done(&b);
}

/* ---- error ---- */

TEST(an_error_returns_what_it_says)
{
    struct error err = { 0 };
    CHECK_EQ(err_set(&err, -ENOENT, BLAME_GUEST, "EXEC", "no %s", "python3"), -ENOENT);
    CHECK_EQ(err.code, -ENOENT);
    CHECK_STR(err.step, "EXEC");
    CHECK_STR(err.text, "no python3");
    CHECK_EQ(err_remedy(&err, "apt install %s", "python3"), -ENOENT);
    CHECK_STR(err.remedy, "apt install python3");
    CHECK_EQ(err_wrap(&err, "run %d", 1), -ENOENT);
    CHECK_STR(err.text, "run 1: no python3");
    CHECK_STR(err_public_code(&err), "not_found");
    CHECK_EQ(err_set(NULL, -EIO, BLAME_US, NULL, "x"), -EIO);
}

TEST(a_long_error_is_cut_not_overrun)
{
    struct error err = { 0 };
    char wide[1000];
    memset(wide, 'w', sizeof wide - 1);
    wide[sizeof wide - 1] = '\0';
    (void)err_set(&err, -EIO, BLAME_HOST, wide, "%s", wide);
    CHECK_EQ(strlen(err.text), sizeof err.text - 1);
    CHECK_EQ(strlen(err.step), sizeof err.step - 1);
    (void)err_wrap(&err, "%s", wide);
    CHECK_EQ(strlen(err.text), sizeof err.text - 1);
}

TEST(blame_decides_the_public_code)
{
    static const char *const codes[] = { "sandbox_error", "host_unsupported", "usage_error", "policy_denied",
                                         "not_executable" };
    for (int b = BLAME_US; b <= BLAME_GUEST; b++) {
        struct error err = { .code = -EACCES, .blame = (enum blame)b };
        CHECK_STR(err_public_code(&err), codes[b]);
    }
    CHECK_STR(blame_name(BLAME_POLICY), "policy");
}

TEST(a_host_that_fails_for_a_moment_is_not_called_unsupported)
{
    static const int codes[] = { EAGAIN, EPIPE, ECONNRESET, ETIMEDOUT, EMFILE, ENFILE, ENOMEM, ENOSPC };
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct error err = { .code = -codes[i], .blame = BLAME_HOST };
        CHECK_STR(err_public_code(&err), "sandbox_error");
    }
}

TEST(every_feature_has_a_name_of_its_own)
{
    for (int a = 0; a < FEATURE_COUNT; a++) {
        CHECK(strlen(feature_name((enum feature)a)) > 1);
        for (int b = 0; b < a; b++)
            CHECK(strcmp(feature_name((enum feature)a), feature_name((enum feature)b)) != 0);
    }
}

TEST(memory_over_time_is_the_sum_of_what_was_seen)
{
    struct integral i = { 0 };
    CHECK_EQ(integral_end(i, 1000, 51000, 10 * MIB), 500); /* not looked at: its peak, for 50 ms */
    integral_look(&i, 1000, 101000, 10 * MIB);
    integral_look(&i, 1000, 201000, 30 * MIB);
    CHECK_EQ(integral_end(i, 1000, 301000, 99 * MIB), 1000 + 2000 + 3000);
    CHECK_EQ(integral_end(i, 1000, 100, 99 * MIB), 1000 + 2000); /* a clock that stood still */
    CHECK_EQ(integral_end((struct integral){ 0 }, 0, 2000, 1), 0);
    CHECK_EQ(integral_end((struct integral){ 0 }, 0, 1000, KIB), 1); /* rounded up */
    /* a TiB for a month */
    CHECK_EQ(integral_end((struct integral){ 0 }, 0, UINT64_C(2592000000000), UINT64_C(1) << 40), UINT64_C(2592000000)
                                                                                                      << 20);
}

TEST(json_numbers_have_all_their_digits)
{
    struct buf b;
    buf_init(&b, 1000);
    json_open(&b, '[');
    json_uint(&b, 0), json_uint(&b, 10), json_uint(&b, UINT64_MAX);
    json_int(&b, 0), json_int(&b, -7), json_int(&b, INT64_MIN), json_int(&b, INT64_MAX);
    json_milli(&b, 0), json_milli(&b, 7), json_milli(&b, 1050), json_milli(&b, UINT64_MAX);
    json_close(&b, ']');
    CHECK_STR(b.data, "[0,10,18446744073709551615,0,-7,-9223372036854775808,9223372036854775807,0.000,0.007,1.050,"
                      "18446744073709551.615]");
    buf_done(&b);
}

/* Texts are looked through eight bytes at a time: each byte, wherever it stands, comes out as it does alone. */
TEST(json_escapes_a_byte_the_same_wherever_it_stands)
{
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < 17; at++) {
            struct buf is, must_be;
            char text[17];
            memset(text, ' ' + (int)(byte * 7 + at) % 2,
                   sizeof text); /* ' ' and '!': the least that stand as they are */
            text[at] = (char)byte;
            buf_init(&is, 200), buf_init(&must_be, 200);
            json_escape(&is, text, sizeof text);
            (void)buf_add(&must_be, text, at);
            json_escape(&must_be, text + at, 1);
            (void)buf_add(&must_be, text + at + 1, sizeof text - at - 1);
            CHECK_STR(is.data, must_be.data);
            buf_done(&is), buf_done(&must_be);
        }
}
