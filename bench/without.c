/* without.c - what build/bench/without/bin/sandboxd has in place of the evidence: nothing. build.sh links it in front
 * of the very objects of sandboxd (ld's --wrap), so that the two services of bench/evidence.py differ by these calls
 * and their settings alone. What others keep with these functions is missing there: do not use it as a service.
 */
#include "audit/head.h"
#include "audit/index.h"
#include "audit/internal.h"
#include "audit/tree.h"
#include "daemon/metrics.h"
#include "sql/sql.h"

void __wrap_tree_leaf(const void *line, size_t size, struct tree_hash *ret);
int __wrap_tree_open(int audit_dir, bool may_create);
void __wrap_index_extend_current(struct audit *a, bool is_closed);
int __wrap_meter_add(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms, bool is_unmeasured,
                     const struct use *use, struct error *err);
void __wrap_metrics_attempt(struct metrics *m, const char *agent_id);

/* No Merkle tree beside the audit. */
void __wrap_tree_leaf(const void *line, size_t size, struct tree_hash *ret)
{
    (void)line, (void)size;
    *ret = (struct tree_hash){ 0 };
}

int __wrap_tree_open(int audit_dir, bool may_create)
{
    (void)audit_dir, (void)may_create;
    return -ENOENT;
}

/* The index of words only: that of runs' ids came with the page. */
void __wrap_index_extend_current(struct audit *a, bool is_closed)
{
    if (a->head.sequence - a->head.indexed_sequence <= INDEX_LINES && !is_closed)
        return;
    a->head.indexed_sequence = a->head.sequence;
    (void)index_extend_at(a->dir_fd, "audit.idx", INDEX_OF_WORDS, a->fd, a->head.offset, 8 * MIB, is_closed);
    (void)head_write(a->head_fd, &a->head);
}

/* No meter of what runs took. */
int __wrap_meter_add(struct sql *s, uint64_t agent, const char *key_id, uint64_t now_ms, bool is_unmeasured,
                     const struct use *use, struct error *err)
{
    (void)s, (void)agent, (void)key_id, (void)now_ms, (void)is_unmeasured, (void)use, (void)err;
    return 0;
}

/* No count of each agent's attempts. */
void __wrap_metrics_attempt(struct metrics *m, const char *agent_id)
{
    (void)m, (void)agent_id;
}
