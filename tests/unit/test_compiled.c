#include "test.h"

#include "config/compiled.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* One policy in a directory of its own: three sources (one absent) and two guards. */
static struct stage {
    char dir[64], cache[96], config[96], absent[96], profile[96], python[96], node[96], stamp[COMPILED_STAMP_MAX];
    struct config c;
    struct profile p;
    struct compiled_key key;
    struct buf blob;
} st;

static const struct sock_filter filter[] = { { 0x06, 0, 0, 0x7fff0000 }, { 0x06, 0, 0, 1 } };
#define TEXT(s)          \
    {                    \
        s, sizeof(s) - 1 \
    }
#define PYTHON_SOURCE    "# head\nRULES = None\ncode()\n"
#define PYTHON_GUARD     "# head\nRULES = {\"x\": 1}\ncode()\n"
#define NODE_SOURCE      "const RULES = null;"
#define NODE_GUARD       "const RULES\0 = {};" /* bytes, not a string */
#define PYTHON_CONTAINER "# in a container\n"
#define NODE_CONTAINER   "// in a container\n"
#define SECCOMP_JSON     "{\"defaultAction\":\"SCMP_ACT_ERRNO\"}"

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "we");
    CHECK(f);
    CHECK(fputs(text, f) >= 0);
    CHECK_EQ(fclose(f), 0);
}

static void pack_stage(void)
{
    const struct compiled_source sources[] = {
        { st.config, true, { "# c\n", 4 } },
        { st.absent, false, { NULL, 0 } },
        { st.profile, true, { "name: x\n", 8 } },
    };
    const struct compiled_parts parts = {
        .config = &st.c,
        .profile = &st.p,
        .filter = { filter, sizeof filter },
        .filter_asking = { filter, sizeof filter[0] },
        .filter_volumes = { filter, sizeof filter },
        .filter_summary = "two instructions",
        .seccomp_json = SECCOMP_JSON,
        .guard = { [LANG_PYTHON] = { st.python, TEXT(PYTHON_SOURCE), TEXT(PYTHON_GUARD), TEXT(PYTHON_CONTAINER),
                                     st.stamp, TEXT("") },
                   [LANG_NODE] = { st.node, TEXT(NODE_SOURCE), TEXT(NODE_GUARD), TEXT(NODE_CONTAINER), NULL,
                                   TEXT("") } },
        .profile_file = st.profile,
        .config_file = { st.config, st.absent, NULL },
        .sources = sources,
        .source_count = ARRAY_LEN(sources),
    };
    CHECK_EQ(compiled_pack(&st.key, &parts, &st.blob), 0);
}

static void stage_make(void)
{
    memset(&st, 0, sizeof st);
    (void)snprintf(st.dir, sizeof st.dir, "/tmp/sandbox-test.XXXXXX");
    CHECK(mkdtemp(st.dir));
    (void)snprintf(st.cache, sizeof st.cache, "%s/a/cache", st.dir);
    (void)snprintf(st.config, sizeof st.config, "%s/config.yaml", st.dir);
    (void)snprintf(st.absent, sizeof st.absent, "%s/absent.yaml", st.dir);
    (void)snprintf(st.profile, sizeof st.profile, "%s/profile.yaml", st.dir);
    (void)snprintf(st.python, sizeof st.python, "%s/guard.py", st.dir);
    (void)snprintf(st.node, sizeof st.node, "%s/guard.js", st.dir);
    put(st.config, "# c\n");
    put(st.profile, "name: x\n");
    put(st.python, PYTHON_SOURCE);
    put(st.node, NODE_SOURCE);
    compiled_python_stamp(st.stamp);
    config_defaults(&st.c);
    profile_defaults(&st.p);
    st.p.origin[3] = (struct origin){ ORIGIN_PROFILE, 0, 17 };
    st.p.origin[4] = (struct origin){ ORIGIN_CONFIG, CONFIG_SYSTEM, 9 };
    st.key = (struct compiled_key){ .level = "high",
                                    .system_config = st.config,
                                    .user_config = st.absent,
                                    .profile_path = st.profile,
                                    .data_dir = "/usr/share/x" };
    pack_stage();
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
}

static void stage_remove(void)
{
    char command[256];
    (void)snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", st.dir, st.dir);
    CHECK_EQ(system(command), 0);
    buf_done(&st.blob);
    config_done(&st.c);
    profile_done(&st.p);
}

static bool is_hit(void)
{
    struct compiled c;
    int r = compiled_lookup(st.cache, &st.key, &c);
    if (r)
        compiled_done(&c);
    return r;
}
static bool is_hit_for(enum language lang)
{
    struct compiled c;
    int r = compiled_lookup_for(st.cache, &st.key, lang, &c);
    if (r)
        compiled_done(&c);
    return r;
}

static bool is_text(struct bytes b, struct bytes expected)
{
    return b.size == expected.size && memcmp(b.data, expected.data, b.size) == 0;
}

static const char *blob_path(void)
{
    static char path[160];
    char name[32];
    compiled_file_name(&st.key, name);
    (void)snprintf(path, sizeof path, "%s/%s", st.cache, name);
    return path;
}

TEST(a_stored_policy_comes_back_whole)
{
    struct compiled c;
    struct buf text;
    stage_make();
    CHECK_EQ(compiled_lookup(st.cache, &st.key, &c), 1);
    CHECK(c.is_mapped);
    CHECK_EQ(c.profile.resources.memory, 128 * MIB);
    CHECK_STR(c.profile.security.seccomp, "strict");
    CHECK(strlist_has(&c.profile.languages[LANG_PYTHON].allowed_modules, "math"));
    CHECK_EQ(c.config.sandbox.default_risk_level, RISK_MEDIUM);
    CHECK(c.config.sandbox.paths.log_dir == NULL);
    CHECK(c.filter.size == sizeof filter && memcmp(c.filter.data, filter, sizeof filter) == 0);
    CHECK_EQ((uintptr_t)c.filter.data % _Alignof(struct sock_filter), 0);
    CHECK_EQ(c.filter_asking.size, sizeof filter[0]);
    CHECK_EQ(c.filter_volumes.size, sizeof filter);
    CHECK_EQ((uintptr_t)c.filter_asking.data % _Alignof(struct sock_filter), 0);
    CHECK_STR(c.filter_summary, "two instructions");
    CHECK(is_text(c.guard[LANG_PYTHON], (struct bytes)TEXT(PYTHON_GUARD)));
    CHECK(is_text(c.guard[LANG_NODE], (struct bytes)TEXT(NODE_GUARD)));
    CHECK_EQ(c.guard[LANG_BASH].size, 0);
    CHECK_STR(c.profile_file, st.profile);
    CHECK(c.config_file[CONFIG_OPTION] == NULL);
    buf_init(&text, 1024);
    compiled_origin(&c, c.profile.origin[3], &text);
    (void)buf_addc(&text, ' ');
    compiled_origin(&c, c.profile.origin[4], &text);
    (void)buf_addc(&text, ' ');
    compiled_origin(&c, c.profile.origin[5], &text);
    char expected[256];
    (void)snprintf(expected, sizeof expected, "%s:17 %s:9 default", st.profile, st.config);
    CHECK_STR(text.data, expected);
    buf_done(&text);
    compiled_done(&c);
    CHECK(c.blob == NULL);
    stage_remove();
}

TEST(another_question_is_a_miss)
{
    stage_make();
    CHECK(is_hit());
    const struct compiled_key key = st.key;
    st.key.level = NULL;
    CHECK(!is_hit());
    st.key.level = "";
    CHECK(!is_hit());
    st.key = key;
    st.key.config_path = st.config;
    CHECK(!is_hit());
    st.key = key;
    st.key.data_dir = "/usr/share/y";
    CHECK(!is_hit());
    st.key = key;
    st.key.user_config = NULL;
    CHECK(!is_hit());
    st.key = key;
    CHECK(is_hit());
    stage_remove();
}

TEST(a_blob_under_the_name_of_another_key_is_a_miss)
{
    char other[160], mine[160];
    stage_make();
    (void)snprintf(mine, sizeof mine, "%s", blob_path());
    st.key.level = "low";
    (void)snprintf(other, sizeof other, "%s", blob_path());
    CHECK_EQ(rename(mine, other), 0);
    CHECK(!is_hit());
    stage_remove();
}

TEST(any_change_of_a_source_is_a_miss)
{
    stage_make();
    put(st.profile, "name: y\n"); /* the same size */
    CHECK(!is_hit());
    put(st.profile, "name: x\n\n");
    CHECK(!is_hit());
    put(st.profile, "name: x");
    CHECK(!is_hit());
    put(st.profile, "");
    CHECK(!is_hit());
    CHECK_EQ(unlink(st.profile), 0);
    CHECK(!is_hit());
    CHECK_EQ(mkdir(st.profile, 0700), 0);
    CHECK(!is_hit());
    CHECK_EQ(rmdir(st.profile), 0);
    CHECK_EQ(mkfifo(st.profile, 0600), 0);
    CHECK(!is_hit()); /* and does not wait for a writer */
    CHECK_EQ(unlink(st.profile), 0);
    put(st.profile, "name: x\n");
    CHECK(is_hit()); /* equal again: only the bytes count, not the clock */
    stage_remove();
}

TEST(a_file_that_appears_is_a_miss)
{
    stage_make();
    put(st.absent, "");
    CHECK(!is_hit());
    CHECK_EQ(unlink(st.absent), 0);
    CHECK(is_hit());
    CHECK_EQ(symlink("/nonexistent", st.absent), 0);
    CHECK(is_hit()); /* a link to nothing is nothing for the loader, too */
    stage_remove();
}

TEST(a_source_larger_than_one_read_is_compared_to_its_end)
{
    static char big[40000];
    struct buf again;
    stage_make();
    memset(big, 'b', sizeof big - 1);
    put(st.config, big);
    const struct compiled_source source = { st.config, true, { big, sizeof big - 1 } };
    const struct compiled_parts parts = { .config = &st.c,
                                          .profile = &st.p,
                                          .filter_summary = "",
                                          .profile_file = "p",
                                          .sources = &source,
                                          .source_count = 1 };
    CHECK_EQ(compiled_pack(&st.key, &parts, &again), 0);
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ again.data, (uint32_t)again.size }), 0);
    CHECK(is_hit());
    big[sizeof big - 2] = 'c';
    put(st.config, big);
    CHECK(!is_hit());
    buf_done(&again);
    stage_remove();
}

TEST(a_changed_guard_matters_to_its_language_only)
{
    stage_make();
    put(st.python, "# head\nRULES = None\ncode(1)\n");
    CHECK(!is_hit());
    CHECK(!is_hit_for(LANG_PYTHON));
    CHECK(is_hit_for(LANG_NODE));
    CHECK(is_hit_for(LANG_COMMAND));
    put(st.python, PYTHON_GUARD); /* the finished text is not the source */
    CHECK(!is_hit_for(LANG_PYTHON));
    put(st.python, "# heed\nRULES = None\ncode()\n");
    CHECK(!is_hit_for(LANG_PYTHON));
    put(st.python, "# head\nRULES = Nine\ncode()\n");
    CHECK(!is_hit_for(LANG_PYTHON));
    CHECK_EQ(unlink(st.python), 0);
    CHECK(!is_hit_for(LANG_PYTHON));
    put(st.python, PYTHON_SOURCE);
    CHECK(is_hit());
    struct compiled c;
    CHECK_EQ(compiled_lookup_for(st.cache, &st.key, LANG_NODE, &c), 1);
    CHECK(c.guard[LANG_PYTHON].size == 0 && c.guard[LANG_NODE].size);
    compiled_done(&c);
    stage_remove();
}

TEST(a_container_gets_its_filter_and_the_guard_of_its_language)
{
    struct compiled c;
    struct compiled_container k;
    stage_make();
    CHECK_EQ(compiled_lookup_for(st.cache, &st.key, LANG_NODE, &c), 1);
    CHECK_EQ(compiled_container(&c, LANG_NODE, &k), 0);
    CHECK_STR(k.seccomp_json, SECCOMP_JSON);
    CHECK(is_text(k.guard, (struct bytes)TEXT(NODE_CONTAINER)));
    CHECK_EQ(compiled_container(&c, LANG_PYTHON, &k), 0);
    CHECK_EQ(k.guard.size, 0); /* it was not asked for, and its source was not looked at */
    compiled_done(&c);
    CHECK_EQ(compiled_lookup(st.cache, &st.key, &c), 1);
    CHECK_EQ(compiled_container(&c, LANG_PYTHON, &k), 0);
    CHECK(is_text(k.guard, (struct bytes)TEXT(PYTHON_CONTAINER)));
    CHECK_EQ(compiled_container(&c, LANG_COMMAND, &k), 0);
    CHECK_EQ(k.guard.size, 0);
    compiled_done(&c);
    CHECK(compiled_container(&c, LANG_NODE, &k) == -EBADMSG && !k.seccomp_json); /* no policy, no filter */
    stage_remove();
}

static void damage(const char *what)
{
    char *at = memmem(st.blob.data, st.blob.size, what, strlen(what));
    CHECK(at);
    at[strlen(what) / 2] ^= 1;
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
    at[strlen(what) / 2] ^= 1;
}

TEST(what_is_for_containers_is_checked_when_it_is_asked_for)
{
    static const char *const parts[] = { SECCOMP_JSON, NODE_CONTAINER };
    stage_make();
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        struct compiled c;
        struct compiled_container k;
        damage(parts[i]);
        CHECK(!is_hit());
        CHECK_EQ(compiled_lookup_for(st.cache, &st.key, LANG_NODE, &c), 1); /* a native run does not read it */
        CHECK(is_text(c.guard[LANG_NODE], (struct bytes)TEXT(NODE_GUARD)));
        CHECK_EQ(compiled_container(&c, LANG_NODE, &k), -EBADMSG);
        CHECK(!k.seccomp_json && k.guard.size == 0);
        compiled_done(&c);
    }
    stage_remove();
}

TEST(a_guard_made_for_another_python_is_a_miss_for_python_only)
{
    static const char *const others[] = { "", "/usr/bin/python3.4 1 2.000000003" };
    stage_make();
    if (!st.stamp[0])
        SKIP(COMPILED_PYTHON " is not installed");
    CHECK(str_starts(st.stamp, "/usr/"));
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        (void)snprintf(st.stamp, sizeof st.stamp, "%s", others[i]);
        buf_done(&st.blob);
        pack_stage();
        CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
        CHECK(!is_hit_for(LANG_PYTHON));
        CHECK(!is_hit());
        CHECK(is_hit_for(LANG_NODE));
    }
    stage_remove();
}

TEST(a_cache_that_others_may_write_is_not_believed)
{
    stage_make();
    CHECK_EQ(chmod(blob_path(), 0620), 0);
    CHECK(!is_hit());
    CHECK_EQ(chmod(blob_path(), 0602), 0);
    CHECK(!is_hit());
    CHECK_EQ(chmod(blob_path(), 0644), 0);
    CHECK(is_hit()); /* others may read: there is no secret in it */
    CHECK(compiled_can_write(st.cache));
    CHECK_EQ(chmod(st.cache, 0770), 0);
    CHECK(!is_hit());
    CHECK(!compiled_can_write(st.cache));
    CHECK(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }) < 0);
    CHECK_EQ(chmod(st.cache, 01777), 0);
    CHECK(!is_hit());
    CHECK_EQ(chmod(st.cache, 0755), 0);
    CHECK(is_hit());
    stage_remove();
}

TEST(links_in_place_of_file_or_directory_are_not_followed)
{
    char moved[200];
    stage_make();
    (void)snprintf(moved, sizeof moved, "%s/moved", st.dir);
    CHECK_EQ(rename(blob_path(), moved), 0);
    CHECK_EQ(symlink(moved, blob_path()), 0);
    CHECK(!is_hit());
    CHECK_EQ(unlink(blob_path()), 0);
    CHECK_EQ(rename(moved, blob_path()), 0);
    CHECK(is_hit());
    CHECK_EQ(rename(st.cache, moved), 0);
    CHECK_EQ(symlink(moved, st.cache), 0);
    CHECK(!is_hit());
    stage_remove();
}

TEST(a_blob_of_another_user_is_not_believed)
{
    if (geteuid() != 0)
        SKIP("only root can give files away");
    stage_make();
    CHECK_EQ(chown(blob_path(), 12345, 12345), 0);
    CHECK(!is_hit());
    CHECK_EQ(chown(blob_path(), 0, 12345), 0);
    CHECK(is_hit());
    CHECK_EQ(chown(st.cache, 12345, 12345), 0);
    CHECK(!is_hit());
    CHECK_EQ(chown(st.cache, 0, 0), 0);
    CHECK(is_hit());
    stage_remove();
}

TEST(a_user_believes_roots_blob_but_not_a_strangers)
{
    if (geteuid() != 0)
        SKIP("needs two users");
    stage_make();
    CHECK_EQ(chmod(st.dir, 0755), 0);
    char parent[100];
    (void)snprintf(parent, sizeof parent, "%s/a", st.dir);
    CHECK_EQ(chmod(parent, 0755), 0);
    CHECK_EQ(chmod(st.cache, 0755), 0);
    CHECK_EQ(chmod(blob_path(), 0644), 0);
    for (int round = 0; round < 2; round++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            _exit(setgid(12345) == 0 && setuid(12345) == 0 ? is_hit() : 2);
        int status;
        CHECK_EQ(waitpid(pid, &status, 0), pid);
        CHECK_EQ(WEXITSTATUS(status), round == 0 ? 1 : 0);
        CHECK_EQ(chown(blob_path(), 23456, 23456), 0);
    }
    stage_remove();
}

TEST(directory_and_file_are_made_for_their_owner_only)
{
    struct stat s;
    stage_make();
    CHECK_EQ(stat(st.cache, &s), 0);
    CHECK_EQ(s.st_mode & 07777, 0700);
    CHECK_EQ(stat(blob_path(), &s), 0);
    CHECK_EQ(s.st_mode & 07777, 0600);
    stage_remove();
}

TEST(what_a_killed_writer_left_is_swept_and_a_full_cache_emptied)
{
    char path[200];
    struct stat s;
    stage_make();
    (void)snprintf(path, sizeof path, "%s/.tmp.0123456789abcdef", st.cache);
    put(path, "x");
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
    CHECK_EQ(stat(path, &s), 0); /* another writer may be at it right now */
    const struct timespec old[2] = { { 1000, 0 }, { 1000, 0 } };
    CHECK_EQ(utimensat(AT_FDCWD, path, old, 0), 0);
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
    CHECK(stat(path, &s) < 0);
    for (int i = 0; i < 300; i++) {
        (void)snprintf(path, sizeof path, "%s/%016d.policy", st.cache, i);
        put(path, "x");
    }
    CHECK_EQ(compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }), 0);
    CHECK(stat(path, &s) < 0);
    CHECK(is_hit());
    stage_remove();
}

TEST(writers_and_readers_at_once_see_whole_blobs)
{
    pid_t writers[2];
    stage_make();
    for (int w = 0; w < 2; w++) {
        writers[w] = fork();
        CHECK(writers[w] >= 0);
        if (writers[w] == 0) {
            for (int i = 0; i < 300; i++)
                if (compiled_write(st.cache, &st.key, (struct bytes){ st.blob.data, (uint32_t)st.blob.size }) < 0)
                    _exit(1);
            _exit(0);
        }
    }
    for (int i = 0; i < 2000; i++)
        CHECK(is_hit());
    for (int w = 0; w < 2; w++) {
        int status;
        CHECK_EQ(waitpid(writers[w], &status, 0), writers[w]);
        CHECK_EQ(status, 0);
    }
    stage_remove();
}

/* ---- damage ---- */

TEST(every_truncated_blob_is_refused)
{
    struct compiled c;
    stage_make();
    CHECK_EQ(compiled_unpack(st.blob.data, st.blob.size, &c), 0);
    for (size_t n = 0; n < st.blob.size; n++) {
        char *cut = malloc(n + 1); /* exact: the sanitizer sees a byte too many */
        CHECK(cut);
        memcpy(cut, st.blob.data, n);
        CHECK_EQ(compiled_unpack(cut, n, &c), -EBADMSG);
        free(cut);
    }
    stage_remove();
}

TEST(every_changed_byte_is_noticed)
{
    struct compiled c;
    stage_make();
    for (size_t i = 0; i < st.blob.size; i++) {
        st.blob.data[i] ^= (char)(1 << i % 8);
        CHECK_EQ(compiled_unpack(st.blob.data, st.blob.size, &c), -EBADMSG);
        CHECK(c.profile.name == NULL && c.filter.data == NULL);
        st.blob.data[i] ^= (char)(1 << i % 8);
    }
    CHECK_EQ(compiled_unpack(st.blob.data, st.blob.size, &c), 0);
    stage_remove();
}

TEST(damage_with_a_fitting_checksum_does_not_crash)
{
    /* as compiled.c lays it out: magic, checksum, main_size, size */
    enum { CHECKSUM_AT = 8, MAIN_AT = 16, HEADER = 32 };
    uint64_t seed = 7, main_size;
    int accepted = 0;
    stage_make();
    memcpy(&main_size, st.blob.data + MAIN_AT, 8);
    for (int round = 0; round < 20000; round++) {
        struct compiled c;
        char *copy = malloc(st.blob.size);
        CHECK(copy);
        memcpy(copy, st.blob.data, st.blob.size);
        for (int i = 0; i < 1 + round % 3; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            size_t at = HEADER + (seed >> 33) % (st.blob.size - HEADER);
            copy[at] = round % 2 ? (char)(seed >> 24) : (char)(copy[at] ^ (1 << (seed >> 24) % 8));
        }
        uint64_t sum = compiled_checksum(copy + HEADER, main_size - HEADER);
        memcpy(copy + CHECKSUM_AT, &sum, 8);
        if (compiled_unpack(copy, st.blob.size, &c) == 0) {
            struct buf text;
            accepted++;
            buf_init(&text, MIB); /* whatever was accepted can be used */
            settings_print(profile_settings, &c.profile, NULL, NULL, &text);
            settings_print(config_settings, &c.config, NULL, NULL, &text);
            for (size_t i = 0; i < profile_settings.count; i++)
                compiled_origin(&c, c.profile.origin[i], &text);
            buf_done(&text);
        }
        free(copy);
    }
    CHECK(accepted > 0); /* the mutations do get behind the checksum */
    stage_remove();
}

/* ---- the pipe ---- */

static int receive(const void *data, size_t size, struct compiled *c, struct error *err)
{
    int fds[2];
    CHECK_EQ(pipe2(fds, O_CLOEXEC), 0);
    CHECK_EQ(write(fds[1], data, size), (ssize_t)size); /* fits a pipe */
    CHECK_EQ(close(fds[1]), 0);
    int r = compiled_receive(fds[0], c, err);
    CHECK_EQ(close(fds[0]), 0);
    return r;
}

TEST(a_policy_comes_through_a_pipe)
{
    struct compiled c;
    struct error err = { 0 };
    stage_make();
    CHECK_EQ(receive(st.blob.data, st.blob.size, &c, &err), 0);
    CHECK(is_text(c.guard[LANG_NODE], (struct bytes)TEXT(NODE_GUARD)));
    CHECK(!c.is_mapped);
    compiled_done(&c);
    stage_remove();
}

TEST(an_error_comes_through_a_pipe_with_everything_it_says)
{
    struct compiled c;
    struct error err = { 0 }, sent = { 0 };
    struct buf b;
    (void)err_set(&sent, -ENOENT, BLAME_CALLER, NULL, "f.yaml: there is no such file");
    (void)err_remedy(&sent, "make one");
    compiled_pack_error(&sent, &b);
    CHECK_EQ(receive(b.data, b.size, &c, &err), -ENOENT);
    CHECK_EQ(err.blame, BLAME_CALLER);
    CHECK_STR(err.text, "f.yaml: there is no such file");
    CHECK_STR(err.remedy, "make one");
    for (size_t n = 0; n < b.size; n++) {
        err = (struct error){ 0 };
        CHECK(receive(b.data, n, &c, &err) < 0);
        CHECK_EQ(err.blame, BLAME_US);
    }
    buf_done(&b);
}

TEST(a_compiler_that_says_nothing_or_nonsense_is_an_error)
{
    struct compiled c;
    struct error err = { 0 };
    CHECK_EQ(receive("", 0, &c, &err), -EPIPE);
    CHECK_EQ(receive("nonsense", 8, &c, &err), -EBADMSG);
    CHECK_EQ(err.blame, BLAME_US);
    CHECK(err.remedy[0]);
}

TEST(file_names_are_sixteen_hex_digits_of_the_key)
{
    char a[32], b[32];
    struct compiled_key key = { .level = "high", .data_dir = "/x" };
    compiled_file_name(&key, a);
    CHECK_EQ(strlen(a), 23);
    CHECK_STR(a + 16, ".policy");
    CHECK_EQ(strspn(a, "0123456789abcdef"), 16);
    key.level = "low";
    compiled_file_name(&key, b);
    CHECK(strcmp(a, b) != 0);
}
