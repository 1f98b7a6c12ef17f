/* What E2B's clients send beside JSON. The signature is one that e2b 2.51.0 made. */
#include <stdio.h>

#include "front/e2b_wire.h"
#include "front/files.h"
#include "front/inner.h"

#include "test.h"

#define TYPE "multipart/form-data; boundary=----x"
#define HEAD "------x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22b\"\r\n\r\n"

TEST(e2b_a_key_in_its_form_is_the_same_key)
{
    struct arena a = { 0 };
    struct access_key made;
    char own[80] = "e2b_";
    uint8_t bytes[32];
    size_t n = 0;
    CHECK_EQ(access_key_make(&made), 0);
    CHECK_EQ(base64url_read(made.token + 3, 43, bytes, sizeof bytes, &n), 0);
    for (size_t i = 0; i < n; i++)
        (void)snprintf(own + 4 + 2 * i, 3, "%02x", bytes[i]);
    CHECK_STR(e2b_key(own, &a), made.token);
    CHECK_STR(e2b_key(made.token, &a), made.token);
    own[10] = 'G';
    CHECK(e2b_key(own, &a) == own);
    CHECK(e2b_key(NULL, &a) == NULL);
    arena_done(&a);
}

TEST(e2b_a_path_is_one_of_the_workspace_or_none)
{
    CHECK_STR(front_path("/home/user/a/b"), "a/b");
    CHECK_STR(front_path("/workspace//./a"), "a");
    CHECK_STR(front_path("a"), "a");
    CHECK_STR(front_path("/home/user"), "");
    CHECK_STR(front_path("."), "");
    CHECK_STR(front_path(".hidden"), ".hidden");
    CHECK(!front_path("/home/user2/a") && !front_path("/home") && !front_path("/") && !front_path("/etc/passwd"));
}

TEST(e2b_a_signature_is_that_of_its_client)
{
    char said[E2B_SIGNATURE_SIZE];
    const struct e2b_signed what = { .path = "/home/user/a.txt", .operation = "read" };
    e2b_sign(&what, "tok-sb1", said);
    CHECK_STR(said, "v1_oIru/MchLVC5Icqcx8ELY0oR69/G49X9ZA+o0K+Mrrg");
}

TEST(multipart_a_files_name_stays_inside_its_line)
{
    struct buf b;
    buf_init(&b, KIB);
    multipart_put_head(&b, "x", "file", "/workspace/a.txt", "text/plain");
    CHECK_STR(b.data, "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"/workspace/a.txt\"\r\n"
                      "Content-Type: text/plain\r\n\r\n");
    buf_done(&b);
    buf_init(&b, KIB);
    multipart_put_head(&b, "x", "error", "a\"\r\n", "t");
    CHECK_STR(b.data, "--x\r\nContent-Disposition: form-data; name=\"error\"; filename*=utf-8''a%22%0D%0A\r\n"
                      "Content-Type: t\r\n\r\n");
    buf_done(&b);
}

struct parts {
    unsigned count;
    size_t size;
    const char *name;
};

static bool take(void *context, const struct multipart_part *part)
{
    struct parts *p = context;
    p->count++;
    p->size += part->size;
    p->name = part->filename;
    return true;
}

static int read_parts(const char *text, size_t size, struct parts *ret, struct arena *a)
{
    *ret = (struct parts){ 0 };
    return multipart_read(TYPE, text, size, a, take, ret);
}

TEST(e2b_parts_are_whole_or_refused)
{
    static const char two[] = HEAD "x\0y\r\n" HEAD "\r\n------x--\r\n", cut[] = HEAD "x\r\n------x";
    struct arena a = { 0 };
    struct parts p;
    CHECK_EQ(read_parts(two, sizeof two - 1, &p, &a), 0);
    CHECK_EQ(p.count, 2u);
    CHECK_EQ(p.size, (size_t)3);
    CHECK_STR(p.name, "a\"b");
    for (size_t n = 0; n < sizeof cut; n++)
        CHECK_EQ(read_parts(cut, n, &p, &a), -EBADMSG);
    CHECK_EQ(multipart_read("text/plain", two, sizeof two - 1, &a, take, &p), -EBADMSG);
    arena_done(&a);
}

TEST(e2b_an_envelope_is_all_of_its_body)
{
    const char *message = NULL;
    size_t n = 0;
    struct buf b;
    buf_init(&b, KIB);
    const size_t at = e2b_envelope_begin(&b, 0);
    (void)buf_adds(&b, "{}");
    e2b_envelope_end(&b, at);
    CHECK_EQ(e2b_envelope_read(b.data, b.size, &message, &n), 0);
    CHECK(n == 2 && memcmp(message, "{}", 2) == 0);
    for (size_t k = 0; k < b.size; k++)
        CHECK_EQ(e2b_envelope_read(b.data, k, &message, &n), -EBADMSG);
    b.data[1] = 1;
    CHECK_EQ(e2b_envelope_read(b.data, b.size, &message, &n), -EMSGSIZE);
    b.data[1] = 0;
    b.data[0] = E2B_ENVELOPE_COMPRESSED;
    CHECK_EQ(e2b_envelope_read(b.data, b.size, &message, &n), -ENOTSUP);
    b.data[0] = E2B_ENVELOPE_END;
    CHECK_EQ(e2b_envelope_read(b.data, b.size, &message, &n), -EBADMSG);
    buf_done(&b);
}

TEST(an_answer_that_is_there_already_is_cut_at_its_readers_bound_too)
{
    for (size_t size = 9; size <= 11; size++) {
        struct http_answer a = { .status = 200 };
        struct buf got;
        bool is_cut;
        buf_init(&a.body, 64);
        CHECK_EQ(buf_add(&a.body, "0123456789abc", size), 0);
        buf_init(&got, 10);
        CHECK(inner_read(&a, &got, &is_cut));
        CHECK_EQ(is_cut, size > 10);
        CHECK_EQ(got.size, MIN_OF(size, (size_t)10));
        CHECK_EQ(strlen(got.data), got.size);
        buf_done(&got);
    }
}
