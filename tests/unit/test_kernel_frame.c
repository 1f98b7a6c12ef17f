/* What a kernel says of a cell: well-formed replies become JSON, and nothing else is believed. */
#include "test.h"

#include "kernel/frame.h"

static struct kernel_reply reply;
static struct buf json;

static int feed_pieces(uint32_t id, const char *data, size_t size, size_t piece)
{
    int e = 0;
    kernel_reply_done(&reply);
    kernel_reply_begin(&reply, id);
    for (size_t at = 0; at < size && e == 0; at += piece)
        e = kernel_reply_feed(&reply, data + at, MIN_OF(piece, size - at));
    return e;
}

#define FEED(text) feed_pieces(7, text, sizeof text - 1, sizeof text)

static const char *results(void)
{
    buf_done(&json);
    buf_init(&json, 64 * MIB);
    kernel_results_json(&json, &reply);
    return json.data;
}

static const char *error(void)
{
    buf_done(&json);
    buf_init(&json, 64 * MIB);
    kernel_error_json(&json, &reply);
    return json.data;
}

TEST(kernel_replies_become_json_in_any_pieces)
{
    static const char whole[] = "r 7 5\nvalue"
                                "m 7 13\ntext/plain\0\xc3\xa9"
                                "m 7 15\ntext/html\0<b>\"\xff"
                                "m 7 13\nimage/png\0\x89PN"
                                "m 7 30\napplication/json\0{\"a\" : [1]} \n"
                                "r 7 7\ndisplay"
                                "m 7 19\napplication/json\0{]"
                                "e 7 15\nE\0no good\0a\nb\n\n"
                                "d 7 0\n";
    for (size_t piece = 1; piece < sizeof whole; piece += 7) {
        CHECK_EQ(feed_pieces(7, whole, sizeof whole - 1, piece), 0);
        CHECK(reply.is_done && reply.count == 2);
        CHECK_STR(results(), "[{\"kind\":\"value\",\"text/plain\":\"\xc3\xa9\",\"text/html\":\"<b>\\\"\xef\xbf\xbd\","
                             "\"image/png\":\"iVBO\",\"application/json\":{\"a\":[1]}},"
                             "{\"kind\":\"display\",\"application/json\":\"{]\"}]");
        CHECK_STR(error(), "{\"name\":\"E\",\"value\":\"no good\",\"traceback\":[\"a\",\"b\",\"\"]}");
    }
    CHECK_EQ(FEED("d 7 0\n"), 0);
    CHECK_STR(results(), "[]");
    CHECK_STR(error(), "null");
    kernel_reply_done(&reply);
}

TEST(kernel_replies_out_of_order_or_of_another_form_are_refused)
{
    static const char *const bad[] = {
        "d 8 0\n",
        "d 07 0\n",
        "d 7 1\nx",
        "d 7 0\nd",
        "d 7 0\nd 7 0\n",
        "i 7 0\n",
        "x 7 0\n",
        "m 7 5\na/b!x",
        "r 7 5\nvalux",
        "r 7 0\n",

        "r 7 -5\n",
        "d  7 0\n",
        "d 7 0 \n",
        "D 7 0\n",
        "dd 7 0\n",
        "d 7\n",
        "\n",
        "d 7 0\r\n",
        "r\t7 5\n",
        "e 7 0\n",
        "e 7 3\na b",
        "e 7 1000000000\n",
        "d 7 0000000000000000000000000000000000\n",
        "r 7 17\nvaluevaluevaluexx",
        "d 4294967303 0\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        int e = feed_pieces(7, bad[i], strlen(bad[i]), 1000);
        if (e >= 0)
            (void)fprintf(stderr, "# taken: %s\n", bad[i]);
        CHECK(e < 0);
        CHECK_EQ(kernel_reply_feed(&reply, "d 7 0\n", 6), e); /* an error stays */
    }
    CHECK(FEED("e 7 5\na\0b\0cr 7 5\nvalue") < 0);
    CHECK(FEED("e 7 5\na\0b\0ce 7 5\na\0b\0c") < 0);
    CHECK(FEED("e 7 7\na\0b\0c\0d") < 0);
    CHECK_EQ(feed_pieces(0, "i 0 0\n", 6, 1), 0);
    CHECK(reply.is_done);
    CHECK(feed_pieces(0, "d 0 0\n", 6, 1) < 0);
    kernel_reply_done(&reply);
}

TEST(kernel_mime_types_are_plain_ones_and_come_once)
{
    CHECK_EQ(FEED("r 7 5\nvaluem 7 35\napplication/vnd.dataresource+json\0{}"), 0);
    CHECK(FEED("r 7 5\nvaluem 7 4\na/b\0m 7 4\na/b\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 4\na/B\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 4\nkind") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 5\nkind\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 3\n/b\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 3\na/\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 6\na/b/c\0") < 0);
    CHECK(FEED("r 7 5\nvaluem 7 6\na/b\n:\0") < 0);
    CHECK(FEED("m 7 4\na/b\0") < 0);
    kernel_reply_done(&reply);
}

TEST(kernel_replies_are_bounded)
{
    char frame[64];
    static char form[MIB + 4] = "a/b";
    kernel_reply_done(&reply);
    kernel_reply_begin(&reply, 7);
    for (unsigned i = 0; i < KERNEL_MAX_RESULTS; i++)
        CHECK_EQ(kernel_reply_feed(&reply, "r 7 5\nvalue", 11), 0);
    CHECK_EQ(kernel_reply_feed(&reply, "r 7 5\nvalue", 11), -EFBIG);
    CHECK_EQ(FEED("r 7 5\nvaluem 7 5000000\n"), -EFBIG);
    CHECK_EQ(FEED("e 7 999999\n"), -EFBIG);
    kernel_reply_done(&reply);
    kernel_reply_begin(&reply, 7);
    int e = 0;
    unsigned count = 0;
    for (; e == 0 && count < 100; count++) {
        (void)snprintf(frame, sizeof frame, "r 7 5\nvaluem 7 %zu\n", sizeof form);
        e = kernel_reply_feed(&reply, frame, strlen(frame));
        if (e == 0)
            e = kernel_reply_feed(&reply, form, sizeof form);
    }
    CHECK_EQ(e, -EFBIG);
    CHECK_EQ(count, KERNEL_MAX_CELL / MIB);
    kernel_reply_done(&reply);
}

TEST(kernel_json_is_taken_only_where_it_is_json)
{
    static const char *const good[] = { "1",
                                        "-0.5e+3",
                                        "0",
                                        "\"\"",
                                        "\"\\u00e9\\n\xc3\xa9\"",
                                        "[]",
                                        "{}",
                                        " [ 1 , {\"a\":null} ] ",
                                        "true",
                                        "{\"a\":{\"b\":[[],{}]},\"c\":1}",
                                        "[[[[]]]]",
                                        "1.5",
                                        "1e5" };
    static const char *const bad[] = { "",         " ",         "01",         "1.",    ".5",  "-",         "+1",
                                       "1e",       "nul",       "nulll",      "[",     "]",   "[1,]",      "{\"a\"}",
                                       "{\"a\":}", "{a:1}",     "{\"a\":1,}", "[1 2]", "1 1", "\"",        "\"\n\"",
                                       "\"\\x\"",  "\"\\u12\"", "\"\xff\"",   "[}",    "{]",  "{\"a\":1]", "[1}",
                                       "'a'",      "NaN",       "{\"a\":1}}", "[]]",   "{,}", "[,]" };
    char deep[2 * KERNEL_MAX_DEPTH + 3];
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        CHECK(kernel_is_json(good[i], strlen(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        if (kernel_is_json(bad[i], strlen(bad[i])))
            (void)fprintf(stderr, "# taken: %s\n", bad[i]);
        CHECK(!kernel_is_json(bad[i], strlen(bad[i])));
    }
    memset(deep, '[', KERNEL_MAX_DEPTH + 1);
    memset(deep + KERNEL_MAX_DEPTH + 1, ']', KERNEL_MAX_DEPTH + 1);
    CHECK(kernel_is_json(deep + 1, (size_t)2 * KERNEL_MAX_DEPTH));
    CHECK(!kernel_is_json(deep, (size_t)2 * KERNEL_MAX_DEPTH + 2));
}

TEST(kernel_json_in_a_result_keeps_its_texts_and_loses_its_lines)
{
    CHECK_EQ(FEED("r 7 5\nvaluem 7 40\napplication/json\0[ \"a \\\" \\\\\",\n\"b c\" ]  \n "), 0);
    CHECK_STR(results(), "[{\"kind\":\"value\",\"application/json\":[\"a \\\" \\\\\",\"b c\"]}]");
    CHECK_EQ(FEED("r 7 5\nvaluem 7 19\napplication/json\0{ m 7 4\na/b\0"), 0);
    CHECK_STR(results(), "[{\"kind\":\"value\",\"application/json\":\"{ \",\"a/b\":\"\"}]");
    kernel_reply_done(&reply);
    buf_done(&json);
}

TEST(kernel_requests_have_their_length)
{
    struct buf b;
    buf_init(&b, 100);
    kernel_request(&b, 12, "1 + 1\n", 6);
    CHECK_STR(b.data, "x 12 6\n1 + 1\n");
    buf_done(&b);
}
