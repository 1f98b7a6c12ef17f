#include "audit/tree.h"

#include "audit/digest.h"
#include "audit/hmac.h"

static void hash_parts(uint8_t kind, const void *a, size_t a_size, const void *b, size_t b_size, struct tree_hash *ret)
{
    struct digest d;
    sha256_begin(&d);
    sha256_add(&d, &kind, 1);
    sha256_add(&d, a, a_size);
    sha256_add(&d, b, b_size);
    sha256_end(&d, ret->bytes);
}

void tree_leaf(const void *line, size_t size, struct tree_hash *ret)
{
    hash_parts(0, line, size, "", 0, ret);
}

void tree_node(const struct tree_hash *left, const struct tree_hash *right, struct tree_hash *ret)
{
    hash_parts(1, left->bytes, sizeof left->bytes, right->bytes, sizeof right->bytes, ret);
}

static bool is_equal(const struct tree_hash *a, const struct tree_hash *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* --- a growing tree --------------------------------------------------------------------------------- */

void tree_front_add(struct tree_front *f, const struct tree_hash *leaf)
{
    struct tree_hash h = *leaf;
    unsigned level = 0;
    for (uint64_t n = f->count; n & 1; n >>= 1, level++)
        tree_node(&f->level[level], &h, &h);
    f->level[level] = h;
    f->count++;
}

void tree_front_root(const struct tree_front *f, struct tree_hash *ret)
{
    bool has_one = false;
    sha256("", 0, ret->bytes); /* of no leaves at all */
    for (unsigned level = 0; level < 64; level++) {
        if (!(f->count >> level & 1))
            continue;
        if (has_one)
            tree_node(&f->level[level], ret, ret);
        else
            *ret = f->level[level];
        has_one = true;
    }
}

/* --- proofs: RFC 9162, 2.1.3.2 and 2.1.4.2, which say of RFC 6962's trees how to check ----------------- */

bool tree_includes(uint64_t index, const struct tree_hash *leaf, uint64_t size, const struct tree_hash *root,
                   const struct tree_proof *proof)
{
    uint64_t fn = index, sn = size - 1;
    struct tree_hash r = *leaf;
    if (index >= size)
        return false;
    for (size_t i = 0; i < proof->count; i++) {
        if (!sn)
            return false;
        if (fn & 1 || fn == sn) {
            tree_node(&proof->list[i], &r, &r);
            for (; !(fn & 1) && fn; fn >>= 1, sn >>= 1)
                ;
        } else {
            tree_node(&r, &proof->list[i], &r);
        }
        fn >>= 1;
        sn >>= 1;
    }
    return !sn && is_equal(&r, root);
}

bool tree_continues(uint64_t old, const struct tree_hash *old_root, uint64_t size, const struct tree_hash *root,
                    const struct tree_proof *proof)
{
    if (old > size || (!old && proof->count))
        return false;
    if (!old)
        return true;
    if (old == size)
        return !proof->count && is_equal(old_root, root);
    const bool is_whole = !(old & (old - 1)); /* a power of two: the old root itself begins the way */
    if (!is_whole && !proof->count)
        return false;
    uint64_t fn = old - 1, sn = size - 1;
    for (; fn & 1; fn >>= 1, sn >>= 1)
        ;
    struct tree_hash fr = is_whole ? *old_root : proof->list[0], sr = fr;
    for (size_t i = !is_whole; i < proof->count; i++) {
        const struct tree_hash *c = &proof->list[i];
        if (!sn)
            return false;
        if (fn & 1 || fn == sn) {
            tree_node(c, &fr, &fr);
            tree_node(c, &sr, &sr);
            for (; !(fn & 1) && fn; fn >>= 1, sn >>= 1)
                ;
        } else {
            tree_node(&sr, c, &sr);
        }
        fn >>= 1;
        sn >>= 1;
    }
    return !sn && is_equal(&fr, old_root) && is_equal(&sr, root);
}
