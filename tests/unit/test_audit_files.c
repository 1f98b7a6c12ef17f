/* Around the chain: search and its index, tail, signatures of code, artifacts. */
#include <time.h>
#include "audit/artifacts.h"
#include "audit/index.h"
#include "audit/search.h"
#include "audit/signature.h"
#include "audit/tail.h"
#include "audit_place.h"
#include "base/json.h"

struct heard {
    uint64_t count, first, last, most; /* most: stop after so many; 0: never */
    bool is_in_order;
};

static bool hear(void *context, const char *line, size_t size, const struct audit_line *l)
{
    struct heard *h = context;
    h->is_in_order = h->count ? h->is_in_order && l->sequence > h->last : true;
    if (!h->count++)
        h->first = l->sequence;
    h->last = l->sequence;
    return line[size - 1] == '}' && (!h->most || h->count < h->most);
}

static struct heard search(struct place *p, struct search s)
{
    struct heard h = { 0 };
    struct search_result r;
    s.dir = p->log;
    CHECK_EQ(audit_search(&s, hear, &h, &r, &p->err), 0);
    CHECK_EQ(r.found, h.count);
    return h;
}

/* With the index and without it, the same. */
#define CHECK_FOUND(p, wanted, ...)                                                         \
    do {                                                                                    \
        struct heard with = search(p, (struct search){ __VA_ARGS__ });                      \
        struct heard without = search(p, (struct search){ __VA_ARGS__, .no_index = true }); \
        CHECK_EQ(with.count, wanted);                                                       \
        CHECK_EQ(without.count, wanted);                                                    \
        CHECK(with.first == without.first && with.last == without.last);                    \
        CHECK(!(wanted) || with.is_in_order);                                               \
    } while (0)

TEST(audit_search_finds_by_agent_time_reason_rule_and_action)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 512 * KIB;
    place_write(&p, 3500); /* several files, several blocks in each */
    CHECK(place_verify(&p).files > 3);
    CHECK(access(place_path(&p, "audit-000000000001.idx"), F_OK) == 0);
    CHECK_FOUND(&p, 500, .agent = "agent-3");
    CHECK_FOUND(&p, 0, .agent = "agent-7");
    CHECK_FOUND(&p, 0, .agent = "agent");
    CHECK_FOUND(&p, 700, .rule = "scan.reverse-shell");
    CHECK_FOUND(&p, 100, .rule = "scan.reverse-shell", .agent = "agent-0");
    CHECK_FOUND(&p, 700, .reason = "policy_denied");
    CHECK_FOUND(&p, 2800, .action = "execution-finished");
    CHECK_FOUND(&p, 1, .execution = "exec-1234");
    CHECK_FOUND(&p, 101, .since_ms = 1700000000000 + 2000 * 1000, .until_ms = 1700000000000 + 2100 * 1000);
    CHECK_FOUND(&p, 15, .since_ms = 1700000000000 + 2000 * 1000, .until_ms = 1700000000000 + 2100 * 1000,
                .agent = "agent-5");
    CHECK_FOUND(&p, 0, .since_ms = 1, .until_ms = 2);
    CHECK_FOUND(&p, 3, .agent = "agent-3", .limit = 3);
    CHECK_EQ(search(&p, (struct search){ .agent = "agent-3", .limit = 3 }).last,
             search(&p, (struct search){ .agent = "agent-3" }).last);
    CHECK_FOUND(&p, 500, .agent = "agent-3", .limit = 501);
    place_done(&p);
}

struct collected {
    uint64_t first, last, count, most;
};

static bool collect(void *context, const char *line, size_t size, const struct audit_line *l)
{
    struct collected *c = context;
    (void)line;
    (void)size;
    if (c->count == c->most)
        return false;
    c->first = c->count++ ? c->first : l->sequence;
    c->last = l->sequence;
    return true;
}

TEST(audit_search_goes_page_by_page_over_all_files_and_gives_each_line_once)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 512 * KIB;
    place_write(&p, 3500);
    for (int without_index = 0; without_index < 2; without_index++) {
        uint64_t after = 0, seen = 0, all = 0;
        for (bool is_end = false; !is_end;) {
            struct collected c = { .most = 97 };
            struct search_result r;
            const struct search s = { .dir = p.log, .after = after, .no_index = without_index };
            CHECK_EQ(audit_search(&s, collect, &c, &r, &p.err), 0);
            CHECK(!c.count || (c.first == after + 1 && c.last == after + c.count)); /* numbers have no gaps */
            is_end = c.count < c.most;
            after = c.last;
            all += c.count;
        }
        CHECK(all > 3500); /* its own lines, too */
        after = 0;
        for (bool is_end = false; !is_end;) {
            struct collected c = { .most = 97 };
            struct search_result r;
            const struct search s = { .dir = p.log, .after = after, .agent = "agent-3", .no_index = without_index };
            CHECK_EQ(audit_search(&s, collect, &c, &r, &p.err), 0);
            is_end = c.count < c.most;
            after = c.last;
            seen += c.count;
        }
        CHECK_EQ(seen, 500);
    }
    CHECK_FOUND(&p, 3500, .level = "low");
    CHECK_FOUND(&p, 0, .level = "high");
    place_done(&p);
}

TEST(audit_search_that_is_late_says_where_to_go_on_and_gets_on)
{
    struct place p;
    uint64_t after = 0, seen = 0, rounds = 0;
    place_init(&p);
    p.config.security.audit_max_size = 512 * KIB;
    place_write(&p, 3500);
    for (bool is_end = false; !is_end; rounds++) {
        struct collected c = { .most = UINT64_MAX };
        struct search_result r;
        const struct search s = { .dir = p.log, .after = after, .agent = "agent-3", .deadline_us = 1 };
        CHECK_EQ(audit_search(&s, collect, &c, &r, &p.err), 0);
        CHECK(!r.is_late || r.resume_after > after);
        seen += c.count;
        after = r.resume_after;
        is_end = !r.is_late;
    }
    CHECK_EQ(seen, 500);
    CHECK(rounds > 3);
    place_done(&p);
}

/* -> how many lines all pages have; each page ends right before the one that came first */
static uint64_t page_back(struct place *p, struct search s, uint64_t *ret_rounds)
{
    uint64_t seen = 0, before = 0;
    *ret_rounds = 0;
    for (bool is_end = false; !is_end; (*ret_rounds)++) {
        struct heard h = { 0 };
        struct search_result r;
        s.dir = p->log, s.before = before;
        CHECK_EQ(audit_search(&s, hear, &h, &r, &p->err), 0);
        CHECK(!h.count || (h.is_in_order && (!before || h.last < before)));
        CHECK(!r.is_late || (r.resume_before && (!before || r.resume_before < before)));
        CHECK(h.count <= s.limit);
        seen += h.count;
        before = r.is_late ? r.resume_before : h.first;
        is_end = !r.is_late && h.count < s.limit;
    }
    return seen;
}

TEST(audit_search_goes_back_page_by_page_without_a_gap)
{
    struct place p;
    uint64_t rounds;
    place_init(&p);
    p.config.security.audit_max_size = 512 * KIB;
    place_write(&p, 3500);
    for (int without_index = 0; without_index < 2; without_index++) {
        CHECK_EQ(page_back(&p, (struct search){ .limit = 97, .agent = "agent-3", .no_index = without_index }, &rounds),
                 500);
        CHECK_EQ(rounds, 6);
        CHECK_EQ(page_back(&p, (struct search){ .limit = 97, .is_end = true, .no_index = without_index }, &rounds),
                 3500);
        const uint64_t all = page_back(&p, (struct search){ .limit = 97, .no_index = without_index }, &rounds);
        CHECK(all > 3500 && rounds == all / 97 + 1);
    }
    /* late after each block, and nothing is left out for it */
    CHECK_EQ(page_back(&p, (struct search){ .limit = 97, .agent = "agent-3", .deadline_us = 1 }, &rounds), 500);
    CHECK(rounds > 10);
    /* of a damaged index nothing is believed */
    const struct heard whole = search(&p, (struct search){ .limit = 400 });
    size_t size = 0;
    char *index = place_read(place_path(&p, "audit.idx"), &size);
    CHECK(size > 100);
    index[100] ^= 1;
    place_put(place_path(&p, "audit.idx"), index, size);
    free(index);
    const struct heard damaged = search(&p, (struct search){ .limit = 400 });
    CHECK(damaged.count == 400 && damaged.first == whole.first && damaged.last == whole.last && damaged.is_in_order);
    /* the last page reads the end of the file and not all of it */
    struct heard h = { 0 };
    struct search_result r;
    CHECK_EQ(audit_search(&(struct search){ .dir = p.log, .limit = 10 }, hear, &h, &r, &p.err), 0);
    CHECK_EQ(h.count, 10);
    CHECK(r.bytes_read > 0 && r.bytes_read < 512 * KIB);
    place_done(&p);
}

TEST(audit_search_is_right_with_an_index_that_is_missing_damaged_stale_or_of_another_file)
{
    struct place p;
    size_t size, other_size;
    place_init(&p);
    p.config.security.audit_max_size = 512 * KIB;
    place_write(&p, 2000);
    const char *idx = place_path(&p, "audit-000000000001.idx");
    char *good = place_read(idx, &size), *other;
    CHECK(size >= 2 * sizeof(struct index_record));
    for (size_t i = 0; i < 60; i++) { /* a byte anywhere */
        size_t at = i * 997 % size;
        good[at] = (char)(good[at] + 1);
        place_put(idx, good, size);
        good[at] = (char)(good[at] - 1);
        CHECK_FOUND(&p, 286, .agent = "agent-2");
    }
    place_put(idx, good, size - sizeof(struct index_record) - 100); /* cut */
    CHECK_FOUND(&p, 286, .agent = "agent-2");
    other = place_read(place_path(&p, "audit.idx"), &other_size);
    place_put(idx, other, other_size);
    CHECK_FOUND(&p, 286, .agent = "agent-2");
    CHECK_EQ(unlink(idx), 0);
    CHECK_EQ(unlink(place_path(&p, "audit.idx")), 0);
    CHECK_FOUND(&p, 286, .agent = "agent-2");
    place_write(&p, 700); /* the writer goes on with an index that it did not begin */
    CHECK_FOUND(&p, 386, .agent = "agent-2");
    free(good);
    free(other);
    place_done(&p);
}

/* A line of the run `id`, or so many lines of runs of their own. */
static void write_run(struct place *p, const char *id, unsigned lines)
{
    static unsigned number;
    struct audit a;
    char own[32];
    CHECK_EQ(place_open(p, &a), 0);
    for (unsigned i = 0; i < lines; i++) {
        (void)snprintf(own, sizeof own, "exec-own-%u", number++);
        const struct audit_event e = {
            .action = "execution-decided", .agent_id = "agent-9", .execution_id = id ? id : own, .now_ms = 1700000000000
        };
        CHECK_EQ(audit_write(&a, &e, &p->err), 0);
    }
    audit_close(&a);
}

/* Lines of one run in blocks and files that lie far apart, and others between them. */
static void place_runs(struct place *p)
{
    p->config.security.audit_max_size = 2 * MIB;
    write_run(p, "exec-long", 1);
    write_run(p, NULL, 2000);
    write_run(p, "exec-long", 2);
    write_run(p, NULL, 4000);
    write_run(p, "exec-long", 1);
    write_run(p, NULL, 2600);
}

TEST(audit_search_of_a_run_reads_its_blocks_and_no_others)
{
    struct place p;
    place_init(&p);
    place_runs(&p);
    CHECK(place_verify(&p).files > 1);
    for (int made_by_search = 0; made_by_search < 2; made_by_search++) {
        CHECK_FOUND(&p, 4, .execution = "exec-long");
        CHECK_FOUND(&p, 4, .execution = "exec-long", .agent = "agent-9", .limit = 20);
        CHECK_FOUND(&p, 1, .execution = "exec-long", .limit = 1);
        CHECK_FOUND(&p, 1, .execution = "exec-own-4711");
        CHECK_FOUND(&p, 0, .execution = "exec-own-4711", .agent = "agent-8");
        CHECK_FOUND(&p, 0, .execution = "exec-own");
        CHECK_FOUND(&p, 0, .execution = "agent-9"); /* a word, but not of this kind */
        struct search_result r;
        struct heard h = { 0 };
        const uint64_t all = place_verify(&p).bytes;
        const struct search s = { .dir = p.log, .execution = "exec-own-4711", .limit = 20 };
        CHECK_EQ(audit_search(&s, hear, &h, &r, &p.err), 0);
        CHECK(h.count == 1 && r.bytes_read < all / 4); /* a block, and what none covers yet */
        CHECK_EQ(unlink(place_path(&p, "audit-000000000001.run")), 0);
        CHECK_EQ(unlink(place_path(&p, "audit.run")), 0);
    }
    place_done(&p);
}

TEST(audit_search_of_a_run_is_right_with_an_index_that_is_damaged_stale_or_of_another_file)
{
    struct place p;
    size_t size, other_size;
    place_init(&p);
    place_runs(&p);
    const char *run = place_path(&p, "audit-000000000001.run");
    char *good = place_read(run, &size), *other = place_read(place_path(&p, "audit.run"), &other_size);
    CHECK(size >= 2 * sizeof(struct index_record) && other_size >= sizeof(struct index_record));
    for (size_t i = 0; i < 20; i++) { /* a byte anywhere */
        const size_t at = i * 997 % size;
        good[at] = (char)(good[at] + 1);
        place_put(run, good, size);
        good[at] = (char)(good[at] - 1);
        CHECK_FOUND(&p, 4, .execution = "exec-long");
    }
    place_put(run, good, size - sizeof(struct index_record) - 100); /* cut */
    CHECK_FOUND(&p, 4, .execution = "exec-long");
    place_put(run, other, other_size);
    CHECK_FOUND(&p, 4, .execution = "exec-long");
    other = (free(other), place_read(place_path(&p, "audit-000000000001.idx"), &other_size));
    place_put(run, other, other_size); /* of words */
    CHECK_FOUND(&p, 4, .execution = "exec-long");
    write_run(&p, "exec-long", 1);
    CHECK_FOUND(&p, 5, .execution = "exec-long");
    free(good);
    free(other);
    place_done(&p);
}

TEST(audit_search_makes_a_missing_index_of_a_large_file)
{
    struct place p;
    place_init(&p);
    p.config.security.audit_max_size = 8 * MIB;
    place_write(&p, 4000);
    const char *idx = place_path(&p, "audit.idx");
    CHECK_EQ(unlink(idx), 0);
    CHECK_FOUND(&p, 571, .agent = "agent-3");
    CHECK_EQ(access(idx, F_OK), 0);
    struct search s = { .dir = p.log, .agent = "agent-3" };
    struct search_result r;
    struct heard h = { 0 };
    CHECK_EQ(audit_search(&s, hear, &h, &r, &p.err), 0);
    CHECK_EQ(h.count, 571);
    CHECK(r.bytes_read < 600 * KIB); /* of 1.9 MB: its own lines and what no block covers yet */
    place_done(&p);
}

TEST(audit_tail_gives_the_last_lines_and_follows_rotation)
{
    struct place p;
    struct tail t;
    struct heard h = { 0 };
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    CHECK_EQ(mkdir(p.log, 0700), 0);
    CHECK_EQ(tail_begin(p.log, 5, hear, &h, &t, &p.err), 0); /* nothing there yet */
    CHECK_EQ(tail_more(&t, hear, &h, &p.err), 0);
    CHECK_EQ(h.count, 0);
    place_write(&p, 10);
    CHECK_EQ(tail_more(&t, hear, &h, &p.err), 0);
    CHECK_EQ(h.count, 13); /* opened, signed, 9, signed, 1 */
    place_write(&p, 500);  /* three files */
    CHECK_EQ(tail_more(&t, hear, &h, &p.err), 0);
    CHECK_EQ(h.count, place_verify(&p).lines);
    CHECK(h.is_in_order && h.first == 1);
    tail_done(&t);
    for (uint64_t n = 0; n < 500; n += 83) {
        h = (struct heard){ 0 };
        CHECK_EQ(tail_begin(p.log, n, hear, &h, &t, &p.err), 0);
        CHECK_EQ(h.count, n);
        CHECK(n == 0 || h.is_in_order);
        tail_done(&t);
    }
    h = (struct heard){ 0 };
    CHECK_EQ(tail_begin(p.log, 1000000, hear, &h, &t, &p.err), 0);
    CHECK_EQ(h.count, place_verify(&p).lines);
    tail_done(&t);
    place_done(&p);
}

/* --- signatures of code ------------------------------------------------------------------------------------ */

TEST(signature_of_code_is_good_for_this_agent_this_code_and_a_day)
{
    struct place p;
    struct signature s;
    char key[100], public[65], text[SIGNATURE_TEXT_MAX], other[SIGNATURE_TEXT_MAX], bad[SIGNATURE_TEXT_MAX + 8];
    const uint64_t now = 1700000000000;
    place_init(&p);
    (void)snprintf(key, sizeof key, "%s/agent.key", p.top);
    CHECK_EQ(signature_generate(key, public, &p.err), 0);
    CHECK(signature_key_is_valid(public));
    CHECK(!signature_key_is_valid("00") &&
          !signature_key_is_valid("zz00000000000000000000000000000000000000000000000000000000000000"));
    CHECK_EQ(signature_generate(key, public, &p.err), -EEXIST);
    CHECK_EQ(signature_make(key, "a", "print(1)", 8, now, text, &p.err), 0);
    CHECK_EQ(signature_make(key, "a", "print(1)", 8, now, other, &p.err), 0);
    CHECK(!str_eq(text, other)); /* a nonce each */
    CHECK_EQ(signature_check(text, "a", public, "print(1)", 8, now, &s, &p.err), 0);
    CHECK(strlen(s.nonce) == 32 && s.at_s == now / 1000);
    CHECK_EQ(signature_check(text, "a", public, "print(1)", 8, now + 86400000, &s, &p.err), 0);
    CHECK_EQ(signature_check(text, "a", public, "print(1)", 8, now - 300000, &s, &p.err), 0);
    CHECK_EQ(signature_check(text, "a", public, "print(1)", 8, now + 86401000, &s, &p.err), -EKEYEXPIRED);
    CHECK_EQ(signature_check(text, "a", public, "print(1)", 8, now - 301000, &s, &p.err), -EKEYEXPIRED);
    CHECK_EQ(p.err.blame, BLAME_POLICY);
    CHECK_EQ(signature_check(text, "b", public, "print(1)", 8, now, &s, &p.err), -EKEYREJECTED);
    CHECK_EQ(signature_check(text, "a", public, "print(2)", 8, now, &s, &p.err), -EKEYREJECTED);
    CHECK(p.err.blame == BLAME_POLICY && p.err.remedy[0]);
    for (size_t i = 0; i < strlen(text); i++) { /* any character changed */
        memcpy(bad, text, sizeof text);
        bad[i] = bad[i] == '1' ? '2' : '1';
        CHECK(signature_check(bad, "a", public, "print(1)", 8, now, &s, &p.err) < 0);
        bad[i] = '\0'; /* cut off there */
        CHECK(signature_check(bad, "a", public, "print(1)", 8, now, &s, &p.err) == -EINVAL);
        CHECK_EQ(p.err.blame, BLAME_CALLER);
    }
    CHECK_EQ(signature_check("v1:short:1:00", "a", public, "x", 1, now, &s, &p.err), -EINVAL);
    CHECK_EQ(signature_check(text, "a\nb", public, "print(1)", 8, now, &s, &p.err), -EINVAL);
    CHECK_EQ(chmod(key, 0640), 0);
    CHECK_EQ(signature_make(key, "a", "x", 1, now, text, &p.err), -EPERM);
    place_done(&p);
}

/* --- artifacts ------------------------------------------------------------------------------------------- */

static unsigned objects_in(struct place *p, const char *top)
{
    unsigned n = 0;
    DIR *d = opendir(arena_printf(&p->arena, "%s/objects", top));
    for (struct dirent *e; d && (e = readdir(d));) {
        DIR *sub = e->d_name[0] == '.' ? NULL : opendir(arena_printf(&p->arena, "%s/objects/%s", top, e->d_name));
        for (struct dirent *o; sub && (o = readdir(sub));)
            n += o->d_name[0] != '.';
        if (sub)
            (void)closedir(sub);
    }
    if (d)
        (void)closedir(d);
    return n;
}

TEST(artifacts_are_kept_once_each_bounded_and_swept_by_age)
{
    struct place p;
    struct artifacts s;
    struct sweep_result r;
    struct stat st;
    size_t size;
    place_init(&p);
    const char *top = arena_printf(&p.arena, "%s/artifacts", p.top);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(artifacts_open(&s, top, 20, i ? "exec-1" : "exec-0", &p.arena, &p.err), 0);
        CHECK_EQ(artifacts_add(&s, "code", "code.py", "print(1)", 8, &p.err), 0);
        CHECK_EQ(artifacts_add(&s, "stdout", "stdout", "output", 6, &p.err), 0);
        CHECK_EQ(artifacts_add(&s, "stderr", "std\"err", i ? "second" : "output", 6, &p.err), 0);
        CHECK_EQ(artifacts_add(&s, "workspace", "big", "123456789012345678901", 21, &p.err), 0);
        artifacts_leave_out(&s, "workspace", "a directory", 0, "not a regular file");
        CHECK_EQ(artifacts_close(&s, &p.err), 0);
    }
    CHECK_EQ(objects_in(&p, top), 3); /* print(1), output, second */
    CHECK(stat(top, &st) == 0 && (st.st_mode & 07777) == 0700);
    char *manifest = place_read(arena_printf(&p.arena, "%s/exec-0/manifest.json", top), &size);
    CHECK(strstr(manifest, "\"name\":\"std\\\"err\",\"size\":6,\"sha256\":\""));
    CHECK(strstr(manifest, "\"name\":\"big\",\"size\":21,\"left_out\":\"too large\"}"));
    CHECK(strstr(manifest, "not a regular file"));
    CHECK(strstr(manifest, "\"bytes\":20,\"max_bytes\":20,\"left_out\":2,\"complete\":false}"));
    free(manifest);

    const struct timespec old[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
    CHECK_EQ(utimensat(AT_FDCWD, arena_printf(&p.arena, "%s/exec-1/manifest.json", top), old, 0), 0);
    CHECK_EQ(artifacts_sweep(top, 999000, &r, &p.err), 0);
    CHECK_EQ(r.executions + r.objects, 0);
    CHECK_EQ(artifacts_sweep(top, 1001000, &r, &p.err), 0);
    CHECK(r.executions == 1 && r.objects == 1 && r.bytes == 6); /* «second»: the others are named by exec-0 */
    CHECK_EQ(objects_in(&p, top), 2);
    CHECK(access(arena_printf(&p.arena, "%s/exec-1", top), F_OK) < 0);

    /* a run that goes on is never swept, however old its directory looks to the retention */
    CHECK_EQ(artifacts_open(&s, top, 100, "exec-2", &p.arena, &p.err), 0);
    CHECK_EQ(artifacts_add(&s, "code", "c", "alive", 5, &p.err), 0);
    CHECK_EQ(artifacts_sweep(top, UINT64_MAX, &r, &p.err), 0);
    CHECK_EQ(artifacts_close(&s, &p.err), 0);
    CHECK_EQ(access(arena_printf(&p.arena, "%s/exec-2/manifest.json", top), F_OK), 0);
    place_done(&p);
}

/* A service lives on when something of a run could not be kept. */
TEST(artifacts_that_are_dropped_leave_no_descriptor_and_no_list)
{
    struct place p;
    struct artifacts s;
    place_init(&p);
    const char *path = arena_printf(&p.arena, "%s/artifacts", p.top);
    const int before = dup(0);
    (void)close(before);
    CHECK_EQ(artifacts_open(&s, path, MIB, "exec-dropped", &p.arena, &p.err), 0);
    CHECK_EQ(artifacts_add(&s, "code", "bash", "true", 4, &p.err), 0);
    artifacts_drop(&s);
    const int after = dup(0);
    (void)close(after);
    CHECK_EQ(after, before);
    CHECK(access(arena_printf(&p.arena, "%s/exec-dropped/manifest.json", path), F_OK) < 0);
    artifacts_drop(&s); /* once more is nothing */
    artifacts_drop(&(struct artifacts){ 0 });
    place_done(&p);
}

TEST(artifacts_half_of_one_is_in_no_other_s_way)
{
    struct place p;
    struct artifacts s;
    struct stat st;
    place_init(&p);
    const char *path = arena_printf(&p.arena, "%s/artifacts", p.top);
    CHECK_EQ(artifacts_open(&s, path, MIB, "exec-cut", &p.arena, &p.err), 0);
    int fd = openat(s.dir, "part", O_WRONLY | O_CREAT | O_EXCL, 0600); /* the disk was full */
    CHECK(fd >= 0 && write(fd, "longer than what comes", 22) == 22 && close(fd) == 0);
    CHECK_EQ(artifacts_add(&s, "code", "bash", "true", 4, &p.err), 0);
    CHECK_EQ(artifacts_close(&s, &p.err), 0);
    CHECK(stat(arena_printf(&p.arena, "%s/exec-cut/part", path), &st) < 0 && objects_in(&p, path) == 1);
    place_done(&p);
}

TEST(artifacts_content_that_was_damaged_in_the_pool_is_replaced)
{
    struct place p;
    struct artifacts s;
    char hash[AUDIT_HASH_SIZE];
    size_t size;
    place_init(&p);
    const char *top = arena_printf(&p.arena, "%s/artifacts", p.top);
    audit_hash("print(1)", 8, hash);
    CHECK_EQ(artifacts_open(&s, top, 100, "exec-0", &p.arena, &p.err), 0);
    CHECK_EQ(artifacts_add(&s, "code", "c", "print(1)", 8, &p.err), 0);
    CHECK_EQ(artifacts_close(&s, &p.err), 0);
    place_put(arena_printf(&p.arena, "%s/objects/%.2s/%s", top, hash, hash + 2), "pri", 3);
    CHECK_EQ(artifacts_open(&s, top, 100, "exec-1", &p.arena, &p.err), 0);
    CHECK_EQ(artifacts_add(&s, "code", "c", "print(1)", 8, &p.err), 0);
    CHECK_EQ(artifacts_close(&s, &p.err), 0);
    char *text = place_read(arena_printf(&p.arena, "%s/exec-1/%s", top, hash), &size);
    CHECK_STR(text, "print(1)");
    free(text);
    place_done(&p);
}

TEST(artifacts_execution_ids_are_no_paths)
{
    static const char *const bad[] = { "", ".", "..", "a/b", "../x", "objects", ".hidden", "a b" };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!artifacts_id_is_valid(bad[i]));
    CHECK(artifacts_id_is_valid("exec-0123456789abcdef"));
    struct artifacts none = { .dir = -1 };
    struct error err = { 0 };
    CHECK_EQ(artifacts_add(&none, "code", "c", "x", 1, &err), 0); /* not kept: nothing happens */
    CHECK_EQ(artifacts_close(&none, &err), 0);
}
