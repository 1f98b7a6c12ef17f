/* The tree over the audit's lines: roots and proofs against RFC 6962's own definitions, the file, and signed notes. */
#include <signal.h>
#include <sodium.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "audit/chain.h"
#include "audit/hmac.h"
#include "audit/note.h"
#include "audit/tree.h"
#include "audit_place.h"
#include "audit/files.h"

#define LEAVES 70u

static struct tree_hash leaves[LEAVES + 1]; /* one more, for a tree of others */

static void make_leaves(void)
{
    for (unsigned i = 0; i <= LEAVES; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "line %u", i);
        tree_leaf(text, strlen(text), &leaves[i]);
    }
}

/* MTH of RFC 6962, 2.1, from all leaves. */
static struct tree_hash slow_root(const struct tree_hash *list, unsigned n)
{
    struct tree_hash ret, left, right;
    if (!n) {
        sha256("", 0, ret.bytes);
        return ret;
    }
    if (n == 1)
        return list[0];
    unsigned k = 1;
    while (2 * k < n)
        k *= 2;
    left = slow_root(list, k);
    right = slow_root(list + k, n - k);
    tree_node(&left, &right, &ret);
    return ret;
}

static bool same(const struct tree_hash *a, const struct tree_hash *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static int new_file(void)
{
    int fd = memfd_create("tree", MFD_CLOEXEC);
    CHECK(fd >= 0);
    return fd;
}

/* The vectors that implementations of Certificate Transparency share. */
TEST(tree_roots_are_those_of_certificate_transparency)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *root;
    } list[] = {
        { "", 0, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d" },
        { "\x00", 1, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125" },
        { "\x10", 1, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77" },
        { "\x20\x21", 2, "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7" },
        { "\x30\x31", 2, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4" },
        { "\x40\x41\x42\x43", 4, "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef" },
        { "\x50\x51\x52\x53\x54\x55\x56\x57", 8, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c" },
        { "\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f", 16,
          "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328" },
    };
    struct tree_front f = { 0 };
    struct tree_hash leaf, root;
    char hex[65];
    for (size_t i = 0; i < ARRAY_LEN(list); i++) {
        tree_leaf(list[i].bytes, list[i].size, &leaf);
        tree_front_add(&f, &leaf);
        tree_front_root(&f, &root);
        hex_write(root.bytes, sizeof root.bytes, hex);
        CHECK_STR(hex, list[i].root);
    }
}

TEST(tree_the_file_the_front_and_the_definition_agree_at_every_size)
{
    int fd = new_file();
    struct tree_front f = { 0 };
    make_leaves();
    for (unsigned n = 0; n <= LEAVES; n++) {
        struct tree_hash expected = slow_root(leaves, n), root;
        uint64_t count;
        CHECK_EQ(tree_root(fd, n, &root), 0);
        CHECK(same(&root, &expected));
        tree_front_root(&f, &root);
        CHECK(same(&root, &expected));
        CHECK(tree_count(fd, &count) == 0 && count == n);
        if (n < LEAVES) {
            CHECK_EQ(tree_append(fd, n, &leaves[n], 1), 0);
            tree_front_add(&f, &leaves[n]);
        }
    }
    (void)close(fd);
}

/* Each proof is good; with one bit changed, one hash more or less, another root or size it is none. */
TEST(tree_proofs_prove_what_they_are_made_for_and_nothing_else)
{
    int fd = new_file();
    make_leaves();
    for (unsigned i = 0; i < LEAVES; i++)
        CHECK_EQ(tree_append(fd, i, &leaves[i], 1), 0);
    for (unsigned size = 1; size <= LEAVES; size++) {
        const struct tree_hash root = slow_root(leaves, size);
        for (unsigned old = 1; old <= size; old++) {
            const struct tree_hash old_root = slow_root(leaves, old), other = slow_root(leaves + 1, old);
            struct tree_proof p, bad;
            CHECK_EQ(tree_consistency(fd, old, size, &p), 0);
            CHECK(tree_continues(old, &old_root, size, &root, &p));
            CHECK(!tree_continues(old, &other, size, &root, &p));
            CHECK(!tree_continues(old, &old_root, size, &old_root, &p) || old == size);
            bad = p;
            bad.count++;
            bad.list[p.count] = root;
            CHECK(!tree_continues(old, &old_root, size, &root, &bad));
            for (size_t i = 0; i < p.count; i++) {
                bad = p;
                bad.list[i].bytes[size % 32] ^= 1;
                CHECK(!tree_continues(old, &old_root, size, &root, &bad));
                bad.count = i;
                CHECK(!tree_continues(old, &old_root, size, &root, &bad));
            }
        }
        for (unsigned index = 0; index < size; index++) {
            struct tree_proof p;
            CHECK_EQ(tree_inclusion(fd, index, size, &p), 0);
            CHECK(tree_includes(index, &leaves[index], size, &root, &p));
            CHECK(!tree_includes(index, &leaves[(index + 1) % LEAVES], size, &root, &p));
            CHECK(size == 1 || !tree_includes((index + 1) % size, &leaves[index], size, &root, &p));
            for (size_t i = 0; i < p.count; i++) {
                struct tree_proof bad = p;
                bad.list[i].bytes[0] ^= 1;
                CHECK(!tree_includes(index, &leaves[index], size, &root, &bad));
            }
        }
        struct tree_proof p;
        CHECK_EQ(tree_inclusion(fd, size, size, &p), -EINVAL);
        CHECK_EQ(tree_consistency(fd, size + 1, size, &p), -EINVAL);
    }
    (void)close(fd);
}

TEST(tree_a_file_that_was_torn_or_is_ahead_is_made_right_by_the_next_leaf)
{
    int fd = new_file();
    struct tree_hash root, expected;
    uint64_t count;
    make_leaves();
    for (unsigned i = 0; i < 21; i++)
        CHECK_EQ(tree_append(fd, i, &leaves[i], 1), 0);
    CHECK_EQ(tree_append(fd, 22, &leaves[22], 1), -EAGAIN); /* the one before is missing */
    const off_t whole = lseek(fd, 0, SEEK_END);
    CHECK_EQ(ftruncate(fd, whole - 7), 0); /* of the last leaf */
    CHECK(tree_count(fd, &count) == 0 && count == 20);
    CHECK_EQ(tree_append(fd, 20, &leaves[20], 1), 0);
    CHECK_EQ(lseek(fd, 0, SEEK_END), whole);
    CHECK_EQ(tree_append(fd, 13, &leaves[60], 1), 0); /* lines from 13 on were written anew */
    CHECK(tree_count(fd, &count) == 0 && count == 14);
    leaves[13] = leaves[60];
    expected = slow_root(leaves, 14);
    CHECK_EQ(tree_root(fd, 14, &root), 0);
    CHECK(same(&root, &expected));
    (void)close(fd);
}

TEST(tree_leaves_in_batches_make_the_same_file_and_those_that_are_there_stay)
{
    make_leaves();
    for (size_t batch = 1; batch <= TREE_BATCH; batch = batch * 2 + 1) {
        int fd = new_file(), other = new_file();
        char is[LEAVES * 64], expected[LEAVES * 64];
        uint64_t count;
        for (unsigned i = 0; i < LEAVES; i++)
            CHECK_EQ(tree_append(other, i, &leaves[i], 1), 0);
        for (unsigned i = 0; i < LEAVES; i += (unsigned)batch)
            CHECK_EQ(tree_append(fd, i, &leaves[i], MIN_OF(batch, (size_t)(LEAVES - i))), 0);
        const ssize_t size = pread(other, expected, sizeof expected, 0);
        CHECK(size > 0 && pread(fd, is, sizeof is, 0) == size && memcmp(is, expected, (size_t)size) == 0);
        const size_t n = MIN_OF(batch, (size_t)LEAVES / 2);
        CHECK_EQ(tree_append(fd, 0, leaves, n), 0); /* they are there: what is behind them stays, too */
        CHECK(tree_count(fd, &count) == 0 && count == LEAVES);
        CHECK_EQ(ftruncate(fd, 32), 0);
        CHECK_EQ(tree_append(fd, 0, leaves, n), 0); /* the first is, the others are not */
        CHECK(tree_count(fd, &count) == 0 && count == n);
        CHECK_EQ(tree_append(fd, 0, leaves + 1, n), 0); /* others in their place */
        struct tree_hash root, others = slow_root(leaves + 1, (unsigned)n);
        CHECK(tree_count(fd, &count) == 0 && count == n && tree_root(fd, n, &root) == 0 && same(&root, &others));
        (void)close(fd), (void)close(other);
    }
    int fd = new_file();
    CHECK_EQ(tree_append(fd, 0, leaves, TREE_BATCH + 1), -E2BIG);
    (void)close(fd);
}

/* --- beside the chain --------------------------------------------------------------------------------- */

/* The root of the lines in all files, as a reader without the tree has it. What a killed writer has cut is no line. */
static struct tree_hash lines_root(struct place *p, uint64_t *ret_count)
{
    struct tree_front f = { 0 };
    struct tree_hash leaf, root;
    struct audit_files files;
    CHECK_EQ(files_list(p->log, false, &files, &p->err), 0);
    for (size_t i = 0; i < files.count; i++) {
        char name[FILES_NAME_SIZE];
        size_t size;
        char *text = place_read(place_path(p, files_name(&files.list[i], name)), &size);
        for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1) {
            size_t body;
            const char *hash;
            if (!chain_split(at, (size_t)(end - at), &body, &hash))
                continue;
            tree_leaf(at, (size_t)(end - at), &leaf);
            tree_front_add(&f, &leaf);
        }
        free(text);
    }
    files_done(&files);
    tree_front_root(&f, &root);
    *ret_count = f.count;
    return root;
}

static void check_tree(struct place *p)
{
    struct checkpoint now;
    struct buf note;
    struct audit_key key;
    struct note_key name;
    uint64_t count;
    const struct tree_hash root = lines_root(p, &count);
    CHECK_EQ(note_now(p->log, p->state, &now, &note, NULL, &p->err), 0);
    CHECK_EQ(now.size, count);
    CHECK(same(&now.root, &root));
    int state = open(p->state, O_RDONLY | O_DIRECTORY);
    CHECK_EQ(key_load(state, p->state, &key, &p->err), 0);
    note_log_key(key.public, &name);
    CHECK(note_is_signed(note.data, note.size, &name, NULL));
    (void)close(state);
    buf_done(&note);
}

static uint64_t stored(struct place *p)
{
    uint64_t count = 0;
    int fd = open(place_path(p, "audit.tree"), O_RDONLY);
    CHECK(fd >= 0 && tree_count(fd, &count) == 0);
    (void)close(fd);
    return count;
}

TEST(tree_each_line_is_added_as_it_is_written_across_files)
{
    struct place p;
    uint64_t count;
    place_init(&p);
    p.config.security.audit_max_size = 4 * AUDIT_LINE_MAX;
    place_write(&p, 300);
    (void)lines_root(&p, &count);
    CHECK(count > 300 && stored(&p) == count); /* before any process asked for it */
    check_tree(&p);
    place_done(&p);
}

/* Whatever became of the file, it follows from the lines: gone, behind, torn, or of lines that are others now. */
TEST(tree_the_file_is_made_again_from_the_lines)
{
    struct place p;
    size_t size;
    place_init(&p);
    p.config.security.audit_max_size = 4 * AUDIT_LINE_MAX;
    place_write(&p, 250);
    check_tree(&p);
    CHECK_EQ(unlink(place_path(&p, "audit.tree")), 0);
    check_tree(&p);
    char *tree = place_read(place_path(&p, "audit.tree"), &size);
    place_put(place_path(&p, "audit.tree"), tree, size / 2 + 5);
    place_write(&p, 2); /* a writer does not catch up: its line would wait */
    check_tree(&p);
    memset(tree + size / 2, 7, size - size / 2);
    place_put(place_path(&p, "audit.tree"), tree, size);
    check_tree(&p);
    free(tree);
    place_write(&p, 3);
    check_tree(&p);
    place_done(&p);
}

/* A tree of other lines beside the real ones: it has to be made anew. -> its bytes, the caller's */
static char *make_stale(struct place *p, size_t *ret_size)
{
    char *tree = place_read(place_path(p, "audit.tree"), ret_size);
    memset(tree, 7, *ret_size);
    place_put(place_path(p, "audit.tree"), tree, *ret_size);
    return tree;
}

static void check_unchanged(struct place *p, const char *tree, size_t size)
{
    size_t now_size;
    char *now = place_read(place_path(p, "audit.tree"), &now_size);
    CHECK(now_size == size && memcmp(now, tree, size) == 0);
    free(now);
}

static int update_tree(struct place *p)
{
    int fd = -1;
    uint64_t count;
    p->err = (struct error){ 0 };
    int e = tree_update(p->log, &fd, &count, &p->err);
    closep(&fd);
    return e;
}

#define HALF ((2 * 100 - 3) * 32u) /* bytes of the first 100 leaves and their nodes, of 200 */

/* In a process that may write files of so many bytes. is_killed: what it writes beyond kills it. -> its wait status */
static int update_tree_within(struct place *p, size_t size, bool is_killed)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        (void)signal(SIGXFSZ, is_killed ? SIG_DFL : SIG_IGN);
        (void)setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
        (void)setrlimit(RLIMIT_FSIZE, &(struct rlimit){ .rlim_cur = size, .rlim_max = size });
        _exit(update_tree(p) < 0 ? 1 : 0);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return status;
}

TEST(tree_that_cannot_be_made_anew_stays_as_it_is)
{
    struct place p;
    size_t size, cut;
    place_init(&p);
    place_write(&p, 200);
    char *tree = make_stale(&p, &size);
    int status = update_tree_within(&p, HALF, false); /* as on a full disk */
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    check_unchanged(&p, tree, size);
    CHECK(access(place_path(&p, "audit.tree.new"), F_OK) < 0);

    status = update_tree_within(&p, HALF, true);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    check_unchanged(&p, tree, size);
    CHECK_EQ(access(place_path(&p, "audit.tree.new"), F_OK), 0);

    char *lines = place_read(place_path(&p, "audit.jsonl"), &cut);
    const char *second = strchr(lines, '\n') + 1;
    place_put(place_path(&p, "audit.jsonl"), second, cut - (size_t)(second - lines)); /* the first line is elsewhere */
    CHECK_EQ(update_tree(&p), -ENODATA);
    check_unchanged(&p, tree, size);
    place_put(place_path(&p, "audit.jsonl"), lines, cut);

    check_tree(&p); /* nothing is in the way any more, and what the killed one left neither */
    CHECK(access(place_path(&p, "audit.tree.new"), F_OK) < 0);
    free(lines);
    free(tree);
    place_done(&p);
}

/* Writers that go on and others who make it, too: one tree comes out, of all lines. */
TEST(tree_is_made_anew_once_while_lines_are_written)
{
    struct place p;
    size_t size;
    pid_t pids[4];
    place_init(&p);
    place_write(&p, 5000); /* more than are read at once, without writers between */
    free(make_stale(&p, &size));
    for (unsigned i = 0; i < ARRAY_LEN(pids); i++) {
        if ((pids[i] = fork()) == 0) {
            if (i >= 2)
                place_write(&p, 50);
            _exit(i >= 2 || update_tree(&p) == 0 ? 0 : 1);
        }
        siginfo_t ended = { 0 }; /* lines come when it is being made: before, the tree's last one would look right */
        while (i == 1 && access(place_path(&p, "audit.tree.new"), F_OK) < 0 && !ended.si_pid)
            CHECK_EQ(waitid(P_PID, (id_t)pids[0], &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    }
    for (unsigned i = 0; i < ARRAY_LEN(pids); i++) {
        int status;
        CHECK_EQ(waitpid(pids[i], &status, 0), pids[i]);
        CHECK_EQ(status, 0);
    }
    check_tree(&p);
    CHECK(access(place_path(&p, "audit.tree.new"), F_OK) < 0);
    place_done(&p);
}

/* Lines that were cut off and written anew take the place of the old ones. */
TEST(tree_follows_a_history_that_was_rewritten)
{
    struct place p;
    place_init(&p);
    place_write(&p, 40);
    check_tree(&p);
    CHECK_EQ(unlink(place_path(&p, "audit.jsonl")), 0);
    CHECK_EQ(unlink(place_head(&p)), 0);
    place_write(&p, 7);
    check_tree(&p);
    place_done(&p);
}

/* Killed anywhere between line, head and tree: writers and the tree find together again. */
TEST(tree_survives_writers_that_are_killed)
{
    struct place p;
    place_init(&p);
    for (unsigned round = 0; round < 6; round++) {
        pid_t pid = fork();
        if (pid == 0) {
            place_write(&p, 100000);
            _exit(0);
        }
        uint64_t before = round ? stored(&p) : 0;
        for (unsigned i = 0; i < 100000 && (access(place_path(&p, "audit.tree"), F_OK) < 0 || stored(&p) < before + 20);
             i++)
            (void)usleep(200);
        CHECK_EQ(kill(pid, SIGKILL), 0);
        CHECK_EQ(waitpid(pid, NULL, 0), pid);
        place_write(&p, 1); /* what the killed one left is mended first */
        check_tree(&p);
    }
    place_done(&p);
}

/* --- notes -------------------------------------------------------------------------------------------- */

static struct audit_key seeded(uint8_t first, uint8_t algorithm, const char *name, struct note_key *ret)
{
    struct audit_key k;
    uint8_t seed[32] = { first };
    (void)crypto_sign_seed_keypair(k.public, k.secret, seed);
    *ret = (struct note_key){ .algorithm = algorithm };
    (void)snprintf(ret->name, sizeof ret->name, "%s", name);
    memcpy(ret->public, k.public, 32);
    return k;
}

/* The key of the example of Go's package note, whose hash others have computed. */
TEST(note_a_key_in_words_is_read_and_written_as_others_do)
{
    static const char example[] = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    static const char *const bad[] = { "",
                                       "a",
                                       "a+b",
                                       "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                                       "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                                       "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10T" };
    struct note_key k;
    char out[NOTE_VKEY_MAX];
    CHECK_EQ(note_key_read(example, &k), 0);
    CHECK_STR(k.name, "PeterNeumann");
    note_key_write(&k, out);
    CHECK_STR(out, example);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK_EQ(note_key_read(bad[i], &k), -EINVAL);
}

TEST(note_signatures_of_log_and_witness_are_told_apart_and_no_changed_byte_is_believed)
{
    struct note_key log, witness, as_log;
    const struct audit_key log_key = seeded(1, NOTE_LOG, "a/log", &log),
                           witness_key = seeded(2, NOTE_WITNESS, "a/witness", &witness);
    struct checkpoint c = { .origin = "a/log", .size = 5 }, back;
    struct buf note;
    uint64_t seconds = 0;
    make_leaves();
    c.root = leaves[0];
    buf_init(&note, NOTE_MAX_BYTES);
    checkpoint_write(&c, &note);
    note_sign(&note, &log, &log_key, 0);
    CHECK(note_is_signed(note.data, note.size, &log, NULL) && !note_is_signed(note.data, note.size, &witness, NULL));
    note_sign(&note, &witness, &witness_key, 1795235704);
    CHECK(!note.failed && note_is_signed(note.data, note.size, &log, NULL));
    CHECK(note_is_signed(note.data, note.size, &witness, &seconds) && seconds == 1795235704);
    as_log = witness;
    as_log.algorithm = NOTE_LOG;
    CHECK(!note_is_signed(note.data, note.size, &as_log, NULL));
    CHECK(checkpoint_read(note.data, note.size, &back) && back.size == 5 && same(&back.root, &c.root));
    for (size_t i = 0; i < note.size; i++)
        for (unsigned bit = 0; bit < 8; bit++) {
            note.data[i] ^= (char)(1 << bit);
            CHECK(!note_is_signed(note.data, note.size, &log, NULL) ||
                  !note_is_signed(note.data, note.size, &witness, NULL));
            note.data[i] ^= (char)(1 << bit);
        }
    buf_done(&note);
}

TEST(note_what_is_no_checkpoint_is_refused)
{
    static const char *const bad[] = { "",
                                       "a\n",
                                       "a\n1\n",
                                       "a\n1\nAAAA\n\n",
                                       "a\n01\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n",
                                       "a\n-1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n",
                                       "a b\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n",
                                       "a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
                                       "\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n",
                                       "a\n\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n" };
    static const char good[] = "a\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\nan extension\n\n";
    struct checkpoint c;
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!checkpoint_read(bad[i], strlen(bad[i]), &c));
    CHECK(checkpoint_read(good, strlen(good), &c) && c.size == 1 && c.text_size == strlen(good) - 1);
}
