#include "scan/memory.h"

#include <sys/auxv.h>
#include <sys/mman.h>
#include <tree_sitter/api.h>

/* Sizes in steps of 16 up to 512, then four steps to each doubling, up to 32 MiB. */
#define SMALL        32u
#define CLASSES      (SMALL + 4u * 16u)
#define REGION_BYTES (MEMORY_MAX_BYTES + MEMORY_HELD_MAX + 64u * KIB)
#define KEPT_BYTES   (4u * MIB) /* of a region that is used again; more is given back to the kernel */

struct block {     /* stands before what the caller gets; 8 bytes, which is all the alignment tree-sitter needs */
    uint64_t head; /* the cookie, and in its low byte the class */
};

static size_t class_size(unsigned class)
{
    if (class < SMALL)
        return ((size_t) class + 1) * 16;
    unsigned doubling = (class - SMALL) / 4, quarter = (class - SMALL) % 4;
    return ((size_t)512 << doubling) + (((size_t)128 << doubling) * (quarter + 1));
}

static unsigned class_of(size_t size)
{
    if (size <= 512)
        return size ? (unsigned)((size - 1) / 16) : 0;
    unsigned doubling = 54u - (unsigned)__builtin_clzll(size - 1); /* 513..1024: 0 */
    size_t step = (size_t)128 << MIN_OF(doubling, 32u);
    return SMALL + 4 * doubling + (unsigned)((size - 1 - ((size_t)512 << MIN_OF(doubling, 32u))) / step);
}

/* Throwaway by design: one scan at a time in a process. */
static struct {
    char *region;
    size_t used;
    struct block *free[CLASSES]; /* the next one's address is in the caller's part */
    size_t held;                 /* so much is not reset */
    size_t base;                 /* what MEMORY_MAX_BYTES does not count */
    struct block *held_free[CLASSES];
    uint64_t secret;
    jmp_buf *exhausted;
} pool;

static uint64_t head_of(const struct block *b, unsigned class)
{
    return ((pool.secret ^ (uint64_t)(uintptr_t)b * UINT64_C(0x9e3779b97f4a7c15)) & ~UINT64_C(0xff)) | class;
}

static unsigned class_at(const struct block *b)
{
    return (unsigned)(b->head & 0xff);
}

_Noreturn static void give_up(void)
{
    if (pool.exhausted)
        longjmp(*pool.exhausted, 1);
    abort();
}

static void *take(size_t size)
{
    unsigned class = size <= MEMORY_MAX_BYTES ? class_of(size) : CLASSES;
    if (class >= CLASSES)
        give_up();
    struct block *b = pool.free[class];
    if (b) {
        memcpy((void *)&pool.free[class], (void *)(b + 1), sizeof pool.free[class]);
        b->head = head_of(b, class);
        return b + 1;
    }
    size_t need = sizeof *b + class_size(class);
    if (need > MEMORY_MAX_BYTES - (pool.used - pool.base))
        give_up();
    b = (struct block *)(void *)(pool.region + pool.used);
    pool.used += need;
    b->head = head_of(b, class);
    return b + 1;
}

/* NULL: no block of ours begins there. */
static struct block *block_at(void *p)
{
    uintptr_t at = (uintptr_t)p - (uintptr_t)pool.region;
    if (!p || at < sizeof(struct block) || at > pool.used || at % sizeof(struct block))
        return NULL;
    struct block *b = (struct block *)p - 1;
    return class_at(b) < CLASSES && b->head == head_of(b, class_at(b)) ? b : NULL;
}

static void *pool_malloc(size_t size)
{
    return take(size);
}

static void *pool_calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        give_up();
    return memset(take(bytes), 0, bytes);
}

static void pool_free(void *p)
{
    struct block *b = block_at(p);
    if (!b)
        return;
    unsigned class = class_at(b);
    b->head = 0xff; /* twice is once */
    memcpy((void *)(b + 1), (void *)&pool.free[class], sizeof pool.free[class]);
    pool.free[class] = b;
}

static void *pool_realloc(void *p, size_t size)
{
    struct block *b = block_at(p);
    if (p && !b)
        give_up();
    if (b && size <= class_size(class_at(b)))
        return p;
    void *to = take(size);
    if (b) {
        memcpy(to, p, class_size(class_at(b)));
        pool_free(p);
    }
    return to;
}

void memory_install(void)
{
    if (pool.region)
        return;
    void *p = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort(); /* address space, not memory: a machine that has none left runs nothing */
    pool.region = p;
    if (getauxval(AT_RANDOM))
        memcpy(&pool.secret, (const void *)getauxval(AT_RANDOM), sizeof pool.secret);
    ts_set_allocator(pool_malloc, pool_calloc, pool_realloc, pool_free);
}

void memory_on_exhaustion(jmp_buf *where)
{
    pool.exhausted = where;
}

void memory_reset(void)
{
    const size_t from = MAX_OF((size_t)KEPT_BYTES, (pool.held + 64 * KIB - 1) & ~(64 * KIB - 1)); /* whole pages */
    if (pool.used > from)
        (void)madvise(pool.region + from, pool.used - from, MADV_DONTNEED); /* costs memory only */
    pool.used = pool.base = pool.held;
    memset(pool.free, 0, sizeof pool.free);
}

/* Blocks of it that are free are put aside, since their links would be overwritten. */
bool memory_hold(void)
{
    if (pool.used > MEMORY_HELD_MAX) {
        memory_drop();
        return false;
    }
    pool.held = pool.base = pool.used;
    memcpy((void *)pool.held_free, (void *)pool.free, sizeof pool.free);
    memset(pool.free, 0, sizeof pool.free);
    return true;
}

void memory_resume(void)
{
    memory_reset();
    memcpy((void *)pool.free, (void *)pool.held_free, sizeof pool.free);
    pool.held = 0;
}

void memory_drop(void)
{
    pool.held = 0;
    memset(pool.held_free, 0, sizeof pool.held_free);
    memory_reset();
}

size_t memory_used(void)
{
    return pool.used;
}
