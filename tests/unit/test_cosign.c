/* What a node signs of another one's audit, what it refuses, and what it remembers. */
#include "audit/chain.h"
#include "audit/cosign.h"
#include "audit/files.h"
#include "audit/hmac.h"
#include "audit_place.h"
#include "daemon/cosigner.h"

#define LINES 40u

static struct audit_key log_key, other_key;
static struct tree_hash leaves[2][LINES]; /* of two histories with the same beginning */
static int trees[2];
#define SHARED 10u

static void make_key(uint8_t seed, struct audit_key *ret)
{
    char path[64], text[66];
    struct error err = { 0 };
    (void)snprintf(path, sizeof path, "/tmp/test-cosign-key-%d", (int)getpid());
    memset(text, '0' + seed, 64);
    text[64] = '\n';
    place_put(path, text, 65);
    CHECK_EQ(key_read_file(path, ret, &err), 0);
    CHECK_EQ(unlink(path), 0);
}

static void make_logs(void)
{
    make_key(1, &log_key);
    make_key(2, &other_key);
    for (unsigned t = 0; t < 2; t++) {
        trees[t] = memfd_create("tree", MFD_CLOEXEC);
        CHECK(trees[t] >= 0);
        for (unsigned i = 0; i < LINES; i++) {
            char text[40];
            (void)snprintf(text, sizeof text, "line %u of %u", i, i < SHARED ? 0 : t);
            tree_leaf(text, strlen(text), &leaves[t][i]);
        }
        CHECK_EQ(tree_append(trees[t], 0, leaves[t], LINES), 0);
    }
}

/* A checkpoint of a history at a size, signed with a key, as a node would offer it. */
static struct buf make_note(unsigned history, uint64_t size, const struct audit_key *key)
{
    struct note_key name;
    struct checkpoint c = { .size = size };
    struct buf note;
    CHECK_EQ(tree_root(trees[history], size, &c.root), 0);
    note_log_key(log_key.public, &name);
    (void)snprintf(c.origin, sizeof c.origin, "%s", name.name);
    buf_init(&note, NOTE_MAX_BYTES);
    checkpoint_write(&c, &note);
    note_log_key(key->public, &name);
    note_sign(&note, &name, key, 0);
    return note;
}

static struct buf make_proof(unsigned history, uint64_t from, uint64_t to)
{
    struct tree_proof p;
    struct buf b;
    CHECK_EQ(tree_consistency(trees[history], from, to, &p), 0);
    buf_init(&b, COSIGN_MAX_PROOFS);
    cosign_put_proof(&b, from, &p);
    return b;
}

static enum cosign_verdict offer(struct cosigned *last, unsigned history, uint64_t size, uint64_t made_ms,
                                 const char *proofs)
{
    struct buf note = make_note(history, size, &log_key);
    const struct cosign_offer o = { note.data, note.size, proofs, made_ms };
    struct checkpoint c;
    const enum cosign_verdict v = cosign_judge(last, log_key.public, &o, &c);
    CHECK_EQ(c.size, size);
    if (v == COSIGN_GOOD)
        CHECK(cosign_keep(last, &o, &c));
    buf_done(&note);
    return v;
}

TEST(cosign_signs_what_grows_and_refuses_every_other_history)
{
    struct cosigned last = { 0 };
    make_logs();
    for (uint64_t begin = 1; begin < LINES; begin += 3)
        for (uint64_t size = begin; size <= LINES; size++) {
            struct buf proof = make_proof(0, begin, size), other = make_proof(1, begin, size);
            last = (struct cosigned){ 0 };
            CHECK_EQ(offer(&last, 0, begin, 100, ""), COSIGN_GOOD);
            if (size > begin)
                CHECK_EQ(offer(&last, 0, size, 200, ""), COSIGN_WAITING); /* no proof from there */
            if (begin > SHARED)
                CHECK_EQ(offer(&last, 1, size, 200, other.data), size > begin ? COSIGN_REWRITTEN : COSIGN_FORKED);
            CHECK_EQ(offer(&last, 0, size, 200, proof.data), COSIGN_GOOD);
            CHECK_EQ(last.last.size, size);
            CHECK_EQ(last.made_ms, 200);
            buf_done(&proof);
            buf_done(&other);
        }
    /* shorter: later it is another history, earlier it is a row of a database that was restored */
    CHECK_EQ(offer(&last, 0, LINES - 1, 201, ""), COSIGN_SHORTER);
    CHECK_EQ(offer(&last, 0, LINES - 1, 199, ""), COSIGN_WAITING);
    CHECK_EQ(offer(&last, 0, LINES, 300, ""), COSIGN_GOOD);
}

TEST(cosign_a_proof_of_another_history_or_with_changed_bytes_is_none)
{
    struct cosigned last = { 0 };
    make_logs();
    CHECK_EQ(offer(&last, 0, 20, 100, ""), COSIGN_GOOD);
    struct buf good = make_proof(0, 20, 33);
    for (size_t i = 0; i < good.size; i++) {
        struct cosigned now = last;
        const char was = good.data[i];
        good.data[i] = was == 'A' ? 'B' : 'A';
        const enum cosign_verdict v = offer(&now, 0, 33, 200, good.data);
        CHECK(v == COSIGN_REWRITTEN || v == COSIGN_WAITING);
        CHECK_EQ(now.last.size, 20);
        good.data[i] = was;
    }
    for (size_t n = 0; n + 1 < good.size; n++) { /* cut short */
        struct cosigned now = last;
        const char was = good.data[n];
        good.data[n] = '\0';
        CHECK(offer(&now, 0, 33, 200, good.data) != COSIGN_GOOD);
        good.data[n] = was;
    }
    struct buf two = make_proof(0, 7, 33);
    (void)buf_add(&two, good.data, good.size);
    CHECK_EQ(offer(&last, 0, 33, 200, two.data), COSIGN_GOOD);
    buf_done(&two);
    buf_done(&good);
}

TEST(cosign_only_the_log_s_own_key_counts)
{
    struct cosigned last = { 0 };
    struct checkpoint c;
    make_logs();
    struct buf note = make_note(0, 5, &other_key);
    const struct cosign_offer o = { note.data, note.size, "", 100 };
    CHECK_EQ(cosign_judge(&last, log_key.public, &o, &c), COSIGN_UNSIGNED);
    CHECK_EQ(cosign_judge(&last, other_key.public, &o, &c), COSIGN_UNSIGNED); /* its origin is the first one's */
    const struct cosign_offer none = { "", 0, "", 100 };
    CHECK_EQ(cosign_judge(&last, log_key.public, &none, &c), COSIGN_UNSIGNED);
    buf_done(&note);
}

TEST(cosign_a_signature_is_good_with_both_keys_only)
{
    struct cosigned last = { 0 };
    struct checkpoint c;
    uint64_t seconds = 0;
    struct buf note;
    make_logs();
    CHECK_EQ(offer(&last, 0, 12, 100, ""), COSIGN_GOOD);
    cosign_sign(&last, &other_key, 1700000000, &note);
    CHECK(cosign_is_good(note.data, note.size, log_key.public, other_key.public, &c, &seconds));
    CHECK_EQ(seconds, 1700000000);
    CHECK_EQ(c.size, 12);
    CHECK(!cosign_is_good(note.data, note.size, log_key.public, log_key.public, &c, NULL));
    CHECK(!cosign_is_good(note.data, note.size, other_key.public, other_key.public, &c, NULL));
    for (size_t i = 0; i < note.size; i++) {
        note.data[i] ^= 1;
        CHECK(!cosign_is_good(note.data, note.size, log_key.public, other_key.public, &c, NULL));
        note.data[i] ^= 1;
    }
    buf_done(&note);
}

TEST(cosign_a_name_is_claimed_by_the_log_s_key)
{
    char claim[129];
    make_logs();
    cosign_claim(&log_key, "node-1", claim);
    CHECK(cosign_claim_is_good(log_key.public, "node-1", claim));
    CHECK(!cosign_claim_is_good(log_key.public, "node-2", claim));
    CHECK(!cosign_claim_is_good(other_key.public, "node-1", claim));
    CHECK(!cosign_claim_is_good(log_key.public, "node-1", ""));
    claim[5] = claim[5] == '0' ? '1' : '0';
    CHECK(!cosign_claim_is_good(log_key.public, "node-1", claim));
}

TEST(cosign_what_was_signed_is_read_back_and_no_damaged_file_is_taken_for_nothing)
{
    char top[] = "/tmp/test-cosign-XXXXXX", path[64];
    struct cosigned_list l = { 0 }, back;
    struct error err = { 0 };
    size_t size;
    make_logs();
    CHECK(mkdtemp(top));
    (void)snprintf(path, sizeof path, "%s/fleet.cosigned", top);
    CHECK_EQ(cosigned_read(top, &back, &err), 0);
    CHECK_EQ(back.count, 0);
    struct cosigned *c = cosigned_add(&l, "node-1", log_key.public);
    CHECK(c && offer(c, 0, 17, 1234, "") == COSIGN_GOOD);
    c->registered_ms = 99;
    c->refused = COSIGN_FORKED;
    CHECK(cosigned_add(&l, "node-2", other_key.public) != NULL); /* nothing was signed of it */
    CHECK_EQ(cosigned_write(top, &l, &err), 0);
    CHECK_EQ(cosigned_write(top, &l, &err), 0);
    CHECK_EQ(cosigned_read(top, &back, &err), 0);
    CHECK_EQ(back.count, 2);
    c = cosigned_find(&back, log_key.public);
    CHECK(c && strcmp(c->name, "node-1") == 0 && c->registered_ms == 99 && c->made_ms == 1234);
    CHECK(c->refused == COSIGN_FORKED && c->last.size == 17 && strcmp(c->note, l.list[0].note) == 0);
    c = cosigned_find(&back, other_key.public);
    CHECK(c && !*c->note && c->last.size == 0);
    cosigned_done(&back);
    char *text = place_read(path, &size);
    for (size_t n = 0; n < size; n++) { /* cut short; by whole lines it is a list still */
        place_put(path, text, n);
        const int e = cosigned_read(top, &back, &err);
        CHECK(e == -EBADMSG || (e == 0 && text[n - 1] == '\n'));
        cosigned_done(&back);
    }
    for (size_t i = 0; i < size; i++) { /* never a crash, and never less */
        const char was = text[i];
        text[i] = '\0';
        place_put(path, text, size);
        CHECK_EQ(cosigned_read(top, &back, &err), -EBADMSG);
        text[i] = ' ';
        place_put(path, text, size);
        CHECK(cosigned_read(top, &back, &err) == -EBADMSG || was == ' ' || back.count == 2);
        cosigned_done(&back);
        text[i] = was;
    }
    free(text);
    cosigned_done(&l);
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(rmdir(top), 0);
}

TEST(cosign_every_log_has_exactly_k_witnesses_and_all_nodes_agree)
{
    static char names[20][16];
    const char *list[20];
    unsigned share[20] = { 0 };
    for (unsigned i = 0; i < 20; i++) {
        (void)snprintf(names[i], sizeof names[i], "node-%u", i);
        list[i] = names[i];
    }
    for (unsigned l = 0; l < 200; l++) {
        uint8_t log[32];
        sha256(&l, sizeof l, log);
        for (unsigned k = 0; k < 5; k++) {
            unsigned n = 0;
            for (unsigned i = 0; i < 20; i++) {
                const bool is_one = cosigner_is_witness(log, list, 20, list[i], k);
                n += is_one;
                share[i] += is_one;
            }
            CHECK_EQ(n, k);
        }
        CHECK(cosigner_is_witness(log, list, 3, list[2], 3));
    }
    for (unsigned i = 0; i < 20; i++) /* 200 * (1 + 2 + 3 + 4) / 20 = 100 each */
        CHECK(share[i] > 50 && share[i] < 150);
}

/* --- against the lines -------------------------------------------------------------------------------------------- */

static struct verify_result verify_with(struct place *p, const struct checkpoint *seen, size_t count, uint64_t first)
{
    const struct verify_options o = {
        .dir = p->log, .key_dir = p->state, .first = first, .witnessed = seen, .witnessed_count = count
    };
    struct verify_result r;
    p->told[0] = '\0';
    CHECK_EQ(audit_verify(&o, place_hear, p, &r, &p->err), 0);
    return r;
}

static struct checkpoint checkpoint_of(struct place *p)
{
    struct checkpoint c;
    struct buf note;
    CHECK_EQ(note_now(p->log, p->state, &c, &note, NULL, &p->err), 0);
    buf_done(&note);
    return c;
}

TEST(cosign_verify_compares_with_each_checkpoint_also_where_lines_are_archived)
{
    struct place p;
    struct checkpoint seen[3];
    place_init(&p);
    p.config.security.audit_max_size = 64 * KIB;
    for (unsigned i = 0; i < 3; i++) {
        place_write(&p, 120);
        seen[i] = checkpoint_of(&p);
    }
    place_write(&p, 5);
    (void)checkpoint_of(&p);
    CHECK_EQ(verify_with(&p, seen, 3, 0).problems, 0);
    seen[1].root.bytes[3] ^= 1;
    CHECK_EQ(verify_with(&p, seen, 3, 0).problems, 1);
    CHECK(strstr(p.told, "not those that the witness saw"));
    seen[1].root.bytes[3] ^= 1;
    /* the first file is elsewhere; the tree has its leaves */
    struct audit_files files;
    CHECK_EQ(files_list(p.log, true, &files, &p.err), 0);
    CHECK(files.count > 2);
    const uint64_t first = files.list[1].first;
    files_done(&files);
    CHECK_EQ(unlink(place_path(&p, "audit-000000000001.jsonl")), 0);
    CHECK_EQ(verify_with(&p, seen, 3, first).problems, 0);
    seen[2].root.bytes[0] ^= 1;
    CHECK_EQ(verify_with(&p, seen, 3, first).problems, 1);
    seen[2].root.bytes[0] ^= 1;
    /* a tree that was made up does not help */
    int fd = open(place_path(&p, "audit.tree"), O_WRONLY | O_CLOEXEC);
    CHECK(fd >= 0 && pwrite(fd, "x", 1, 0) == 1);
    (void)close(fd);
    CHECK(verify_with(&p, seen, 3, first).problems > 0);
    CHECK_EQ(unlink(place_path(&p, "audit.tree")), 0);
    CHECK_EQ(verify_with(&p, seen, 3, first).problems, 1);
    CHECK(strstr(p.told, "and the first 0 of them are here"));
    place_done(&p);
}
