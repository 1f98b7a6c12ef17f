/* Package sets: what a requirement may say, and which links stay inside. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "packages/requirements.h"
#include "packages/store.h"
#include "packages/tree.h"

static int read_as(int (*read)(const char *, size_t, struct buf *, struct error *), const char *text, struct buf *out,
                   struct error *err)
{
    buf_init(out, 64 * KIB);
    *err = (struct error){ 0 };
    return read(text, strlen(text), out, err);
}

TEST(requirements_are_written_anew_from_their_parts)
{
    static const char hash[] = "--hash=sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    char with_hash[256], joined[300], expected[300];
    (void)snprintf(with_hash, sizeof with_hash, "a==1 %s\n", hash);
    (void)snprintf(joined, sizeof joined, "a==1 \\\n    %s \\\n    %s\n", hash, hash);
    (void)snprintf(expected, sizeof expected, "a==1 %s %s\n", hash, hash);
    const struct {
        const char *text, *written;
    } cases[] = {
        { "numpy==1.26.4", "numpy==1.26.4\n" },
        { "# all\r\n\r\n  Zope.Interface >= 5 , < 6  # why\r\n", "Zope.Interface>=5,<6\n" },
        { "requests[socks, use_chardet]~=2.0", "requests[socks,use_chardet]~=2.0\n" },
        { "a===1.0+local.1\nb!=2.*", "a===1.0+local.1\nb!=2.*\n" },
        { "a ; python_version < '3.13' and sys_platform == \"linux\"",
          "a ; python_version < '3.13' and sys_platform == \"linux\"\n" },
        { with_hash, with_hash },
        { joined, expected },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out;
        struct error err;
        CHECK_EQ(read_as(requirements_read, cases[i].text, &out, &err), 0);
        CHECK_STR(out.data, cases[i].written);
        buf_done(&out);
    }
}

TEST(requirements_name_packages_of_the_index_and_nothing_else)
{
    const struct {
        const char *text, *says;
    } cases[] = {
        { "--index-url https://evil.test/simple\na", "line 1: the index is the operator's" },
        { "a\n-i https://evil.test", "line 2: the index" },
        { "--extra-index-url=x", "the index" },
        { "--find-links /tmp", "the index" },
        { "--trusted-host x", "the index" },
        { "-e .", "editable" },
        { "--editable=x", "editable" },
        { "-r other.txt", "options" },
        { "--no-binary :all:", "options" },
        { "--config-settings=x", "options" },
        { "./local", "local paths" },
        { "/tmp/x.whl", "local paths" },
        { "~/x", "local paths" },
        { "a @ https://evil.test/a.whl", "addresses" },
        { "a@git+https://evil.test/a", "addresses" },
        { "git+https://evil.test/a", "addresses" },
        { "https://evil.test/a.whl", "addresses" },
        { "file:a", "not a requirement" },
        { "a/b", "local paths" },
        { "a.whl/", "local paths" },
        { "a==1 --global-option=x", "options" },
        { "a==1 --hash=sha256:00", "not a hash" },
        { "a==1 --hash=md5:00", "options" },
        { "a==${HOME}", "not a version" },
        { "a==", "not a version" },
        { "a[x", "bracket" },
        { "a[-e]", "extra" },
        { "a ; os_name == `id`", "not a marker" },
        { "a b", "not a requirement" },
        { "a\\\n--index-url=x", "the index" },
        { "# nothing\n", "no requirement" },
        { "", "no requirement" },
        { "\xff\xfe", "not a requirement" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct buf out;
        struct error err;
        CHECK(read_as(requirements_read, cases[i].text, &out, &err) < 0);
        if (!strstr(err.text, cases[i].says))
            (void)fprintf(stderr, "# %zu %s: %s\n", i, cases[i].text, err.text);
        CHECK(strstr(err.text, cases[i].says));
        CHECK_EQ(err.blame, BLAME_CALLER);
        buf_done(&out);
    }
}

TEST(requirements_with_nul_or_an_endless_line_are_refused)
{
    static char line[20000];
    struct buf out;
    struct error err = { 0 };
    buf_init(&out, 64 * KIB);
    CHECK(requirements_read("a\0b", 3, &out, &err) < 0);
    memset(line, 'a', sizeof line);
    CHECK(requirements_read(line, sizeof line, &out, &err) < 0);
    for (size_t i = 0; i < sizeof line; i += 2) { /* a full one, and ten thousand that continue it */
        line[i] = i < 8000 ? 'a' : '\\';
        line[i + 1] = i < 8000 ? 'a' : '\n';
    }
    CHECK(requirements_read(line, sizeof line, &out, &err) < 0);
    buf_done(&out);
}

TEST(a_manifest_keeps_its_dependencies_and_nothing_else)
{
    struct buf out;
    struct error err;
    CHECK_EQ(
        read_as(manifest_read,
                "{\"name\": \"x\", \"scripts\": {\"preinstall\": \"id\"}, \"dependencies\": {\"@a/b\": \"^1.0 || >2\", "
                "\"c\": \"latest\"}, \"devDependencies\": {\"d\": \"file:..\"}}",
                &out, &err),
        0);
    CHECK(strstr(out.data, "\"@a/b\": \"^1.0 || >2\"") && strstr(out.data, "\"c\": \"latest\""));
    CHECK(!strstr(out.data, "scripts") && !strstr(out.data, "file:"));
    buf_done(&out);
    static const char *const refused[] = {
        "{\"dependencies\": {\"a\": \"file:../x\"}}",
        "{\"dependencies\": {\"a\": \"git+ssh://x\"}}",
        "{\"dependencies\": {\"a\": \"user/repo\"}}",
        "{\"dependencies\": {\"a\": \"npm:b@1\"}}",
        "{\"dependencies\": {\"a\": \"../x\"}}",
        "{\"dependencies\": {\"a\": \".\"}}",
        "{\"dependencies\": {\"../a\": \"1\"}}",
        "{\"dependencies\": {\"a/b\": \"1\"}}",
        "{\"dependencies\": {\"@a\": \"1\"}}",
        "{\"dependencies\": {\"-g\": 1}}",
        "{\"dependencies\": [\"a\"]}",
        "{\"dependencies\": {}}",
        "{\"dependencies\": {\"a\": \"1\"}, \"overrides\": {}}",
        "{\"workspaces\": [\"a\"]}",
        "{\"dependencies\": {\"a\": \"1\", \"a\": \"2\"}}",
        "[]",
        "{",
        "",
    };
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        if (read_as(manifest_read, refused[i], &out, &err) >= 0)
            (void)fprintf(stderr, "# %s\n", refused[i]);
        CHECK(err.code < 0);
        buf_done(&out);
    }
}

static int lock_of(const char *text, size_t size, bool is_hashed, struct buf *out, uint32_t *count, struct error *err)
{
    char *copy = malloc(size + 1);
    CHECK(copy);
    memcpy(copy, text, size);
    copy[size] = '\0';
    buf_init(out, 64 * KIB);
    *err = (struct error){ 0 };
    const int e = lock_read(copy, size, is_hashed, out, count, err);
    free(copy);
    return e;
}

TEST(a_lock_is_read_from_lines_of_four_fields)
{
    struct buf out;
    struct error err;
    uint32_t count;
    static const char text[] = "b\t1\tab\tMIT\na\t2\t\tBSD \"3\"\n";
    CHECK_EQ(lock_of(text, sizeof text - 1, false, &out, &count, &err), 0);
    CHECK_EQ(count, 2);
    CHECK_STR(out.data, "[{\"name\":\"a\",\"version\":\"2\",\"hash\":null,\"license\":\"BSD \\\"3\\\"\"},"
                        "{\"name\":\"b\",\"version\":\"1\",\"hash\":\"ab\",\"license\":\"MIT\"}]");
    buf_done(&out);
    CHECK(lock_of(text, sizeof text - 1, true, &out, &count, &err) < 0);
    CHECK(strstr(err.text, "a has no version or no integrity") && err.remedy[0]);
    buf_done(&out);
    CHECK_EQ(lock_of("", 0, true, &out, &count, &err), 0);
    CHECK_STR(out.data, "[]");
    buf_done(&out);
}

TEST(a_lock_that_is_none_is_refused)
{
    static const struct {
        const char *text;
        size_t size;
    } bad[] = { { "\n", 1 },          { "a\t1\th\tl", 7 },  { "a\t1\th\n", 6 },        { "a\t1\th\tl\tm\n", 10 },
                { "\t1\th\tl\n", 7 }, { "a\t\th\tl\n", 7 }, { "a\t1\th\tl\n\0b", 10 }, { "{\"install\": []}", 15 } };
    static char large[5000];
    struct buf out;
    struct error err;
    uint32_t count;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        CHECK(lock_of(bad[i].text, bad[i].size, true, &out, &count, &err) < 0);
        CHECK_EQ(err.blame, BLAME_GUEST);
        buf_done(&out);
    }
    for (int field = 0; field < 4; field++) { /* one of them is too long */
        const int sizes[] = { field == 0 ? 215 : 1, field == 1 ? 161 : 1, field == 2 ? 161 : 1, field == 3 ? 641 : 1 };
        const char *const zeros = "%0*d\t%0*d\t%0*d\t%0*d\n";
        const int n = snprintf(large, sizeof large, zeros, sizes[0], 0, sizes[1], 0, sizes[2], 0, sizes[3], 0);
        CHECK(lock_of(large, (size_t)n, true, &out, &count, &err) < 0);
        buf_done(&out);
    }
}

TEST(a_link_of_a_set_stays_inside)
{
    static const struct {
        const char *path, *target;
        bool is_inside;
    } cases[] = { { "a", "b", true },
                  { "a", "./b/c", true },
                  { "d/a", "../b", true },
                  { ".bin/x", "../p/cli.js", true },
                  { "a", "/etc/passwd", false },
                  { "a", "../b", false },
                  { "d/a", "../../b", false },
                  { "d/a", "..", true },
                  { "a", "..", false },
                  { "a", "b/..", false },
                  { "d/a", "x/../../..", false },
                  { "a", "", false },
                  { "d/e/a", "../../b", true },
                  { "a", "./../b", false },
                  { "a", "..b", true } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        if (package_link_is_inside(cases[i].path, cases[i].target) != cases[i].is_inside)
            (void)fprintf(stderr, "# %s -> %s\n", cases[i].path, cases[i].target);
        CHECK_EQ(package_link_is_inside(cases[i].path, cases[i].target), cases[i].is_inside);
    }
}

static void put(int dir, const char *name, const char *text, unsigned mode)
{
    int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, mode) == 0);
    CHECK_EQ(close(fd), 0);
}

TEST(the_hash_of_a_tree_is_of_names_contents_and_what_may_be_executed)
{
    char place[] = "/tmp/sandbox-test.XXXXXX", command[64];
    struct package_tree first, copy, other;
    struct error err = { 0 };
    CHECK(mkdtemp(place));
    const int top = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    CHECK(mkdirat(top, "a", 0700) == 0 && mkdirat(top, "b", 0700) == 0 && mkdirat(top, "a/d", 0750) == 0);
    const int a = openat(top, "a", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
              b = openat(top, "b", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    put(a, "d/x", "one", 0600);
    put(a, "run", "\177ELF", 0700);
    CHECK_EQ(symlinkat("d/x", a, "link"), 0);
    CHECK_EQ(package_tree_copy(a, b, 1000, &first, &err), 0);
    CHECK(first.files == 2 && first.links == 1 && first.bytes == 7 && first.native == 1);
    CHECK_EQ(package_tree_hash(b, &copy, &err), 0);
    CHECK_STR(first.hash, copy.hash); /* modes and times do not count */
    put(a, "run", "\177ELF", 0600);
    CHECK_EQ(package_tree_hash(a, &other, &err), 0);
    CHECK(strcmp(first.hash, other.hash) != 0);
    put(a, "run", "\177ELG", 0700);
    CHECK_EQ(package_tree_hash(a, &other, &err), 0);
    CHECK(strcmp(first.hash, other.hash) != 0);
    CHECK(package_tree_copy(a, b, 6, &other, &err) < 0); /* it is there, and too large */
    CHECK_EQ(mkfifoat(a, "d/fifo", 0600), 0);
    CHECK(package_tree_hash(a, &other, &err) == -EBADMSG && strstr(err.text, "d/fifo"));
    CHECK(close(a) == 0 && close(b) == 0 && close(top) == 0);
    (void)snprintf(command, sizeof command, "rm -rf '%s'", place);
    CHECK_EQ(system(command), 0);
}

TEST(a_name_of_a_set_is_no_path)
{
    static const char *const good[] = { "a", "science", "a.b-c_1", "0" };
    static const char *const bad[] = {
        "",  ".",   "..",  "-a",       "_",
        "A", "a/b", "a b", "\xc3\xa4", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    };
    for (size_t i = 0; i < ARRAY_LEN(good); i++)
        CHECK(package_name_is_accepted(good[i]));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!package_name_is_accepted(bad[i]));
}
