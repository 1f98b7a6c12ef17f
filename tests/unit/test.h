/* test.h - the whole unit test framework.
 *
 * TEST(sizes_with_binary_units_are_read) { CHECK(parse_size("1k", &v) == 0); }
 * Each TEST registers itself; test_main.c runs them all in the order of definition and
 * prints «ok NAME» or «not ok NAME» and a closing count. A failing CHECK
 * says file, line and expression and ends that test. SKIP("why") ends it as skipped.
 */
#pragma once
#include "base/base.h"
#include <stdio.h>

struct test_case {
    const char *file, *name;
    void (*run)(void);
    struct test_case *next;
};

void test_register(struct test_case *t);
_Noreturn void test_fail(const char *file, int line, const char *what);
_Noreturn void test_skip(const char *why);

/* Where a file of tests is compiled twice: its name the second time. */
#ifndef TEST_FILE
#define TEST_FILE __FILE__
#endif
#define TEST(id)                                                             \
    static void test_##id(void);                                             \
    static struct test_case case_##id = { TEST_FILE, #id, test_##id, NULL }; \
    __attribute__((constructor)) static void register_##id(void)             \
    {                                                                        \
        test_register(&case_##id);                                           \
    }                                                                        \
    static void test_##id(void)

#define CHECK(e)                               \
    do {                                       \
        if (!(e))                              \
            test_fail(__FILE__, __LINE__, #e); \
    } while (0)
#define CHECK_EQ(a, b)                                                           \
    do {                                                                         \
        long long a_ = (long long)(a), b_ = (long long)(b);                      \
        if (a_ != b_) {                                                          \
            (void)fprintf(stderr, "# %s is %lld, %s is %lld\n", #a, a_, #b, b_); \
            test_fail(__FILE__, __LINE__, #a " == " #b);                         \
        }                                                                        \
    } while (0)
#define CHECK_STR(a, b)                                                                    \
    do {                                                                                   \
        const char *a_ = (a), *b_ = (b);                                                   \
        if (!a_ || strcmp(a_, b_) != 0) {                                                  \
            (void)fprintf(stderr, "# %s is «%s», not «%s»\n", #a, a_ ? a_ : "(null)", b_); \
            test_fail(__FILE__, __LINE__, #a " is " #b);                                   \
        }                                                                                  \
    } while (0)
#define SKIP(why) test_skip(why)
