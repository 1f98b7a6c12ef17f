#include "scan/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include "base/clock.h"

/* Steps per starting point; a sane pattern needs fewer than a hundred, one that looks 400 characters ahead for a dozen
 * words some thousands. With a look at the clock every STARTS starting points, the worst pattern on the worst text
 * overruns its deadline by STARTS * MATCH_LIMIT * 5 ns = 0.2 s. */
#define MATCH_LIMIT    40000u
#define DEPTH_LIMIT    1000u
#define HEAP_LIMIT_KIB 4096u
#define STARTS         1024u

/* One process, one scan at a time: made once, never freed. */
static pcre2_compile_context *compile_context;
static pcre2_match_context *match_context;
static pcre2_match_data *match_data;
static uint64_t deadline;

static bool prepare(void)
{
    if (match_data)
        return true;
    if (!compile_context && !(compile_context = pcre2_compile_context_create(NULL)))
        return false;
    if (!match_context && !(match_context = pcre2_match_context_create(NULL)))
        return false;
    (void)pcre2_set_max_pattern_length(compile_context, 4096); /* cannot fail */
    (void)pcre2_set_parens_nest_limit(compile_context, 50);
    (void)pcre2_set_match_limit(match_context, MATCH_LIMIT);
    (void)pcre2_set_depth_limit(match_context, DEPTH_LIMIT);
    (void)pcre2_set_heap_limit(match_context, HEAP_LIMIT_KIB);
    match_data = pcre2_match_data_create(1, NULL);
    return match_data != NULL;
}

/* Anchored, or taken for anchored to lines as those that begin with «.*» are: such are tried where looking begins
 * wherever that is. */
static bool is_placed(const struct pattern *p)
{
    uint32_t options = 0, first = 0;
    return pcre2_pattern_info(p->code, PCRE2_INFO_ALLOPTIONS, &options) < 0 ||
           pcre2_pattern_info(p->code, PCRE2_INFO_FIRSTCODETYPE, &first) < 0 || options & PCRE2_ANCHORED ||
           first == 2 || strstr(p->source, "\\G") || strstr(p->source, "\\K") || strstr(p->source, "(*");
}

int pattern_compile(struct pattern *p, struct error *err)
{
    int code = 0;
    PCRE2_SIZE at = 0;
    if (p->code)
        return 0;
    if (!prepare())
        return err_set(err, -ENOMEM, BLAME_US, "PATTERN", "no memory for a pattern");
    p->code = pcre2_compile((PCRE2_SPTR)p->source, PCRE2_ZERO_TERMINATED,
                            PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UTF | PCRE2_USE_OFFSET_LIMIT, &code, &at,
                            compile_context);
    if (p->code) {
        p->is_placed = is_placed(p);
        return 0;
    }
    char text[120] = "";
    p->is_broken = true;
    (void)pcre2_get_error_message(code, (PCRE2_UCHAR *)text, sizeof text); /* cut if longer */
    return err_set(err, -EINVAL, BLAME_CALLER, "PATTERN", "the regex '%.100s' is not one: %s at its byte %zu",
                   p->source, text, (size_t)at);
}

enum pattern_result pattern_find(struct pattern *p, const char *text, size_t size, size_t from, size_t *ret_at)
{
    if (p->is_broken || (!p->code && pattern_compile(p, NULL) < 0))
        return PATTERN_GAVE_UP;
    for (;;) {
        size_t last = MIN_OF(size, from + STARTS);
        (void)pcre2_set_offset_limit(match_context, last);
        int r = pcre2_match(p->code, (PCRE2_SPTR)text, size, from, 0, match_data, match_context);
        if (r >= 0) {
            *ret_at = pcre2_get_ovector_pointer(match_data)[0];
            return PATTERN_FOUND;
        }
        if (r != PCRE2_ERROR_NOMATCH)
            return PATTERN_GAVE_UP;
        if (last >= size)
            return PATTERN_NONE;
        from = last + 1;
        if (deadline && clock_cpu_us() > deadline)
            return PATTERN_GAVE_UP;
    }
}

/* Hard: a match that looks at the text's end is partial, whether or not it would be one without more. */
enum pattern_result pattern_find_in_part(struct pattern *p, const char *text, size_t size, size_t from, size_t *ret_at)
{
    *ret_at = from;
    if (p->is_broken || (!p->code && pattern_compile(p, NULL) < 0) || p->is_placed)
        return PATTERN_GAVE_UP;
    while (from < size) {
        const size_t last = MIN_OF(size, from + STARTS);
        (void)pcre2_set_offset_limit(match_context, last);
        int r = pcre2_match(p->code, (PCRE2_SPTR)text, size, from, PCRE2_PARTIAL_HARD, match_data, match_context);
        if (r >= 0 || r == PCRE2_ERROR_PARTIAL)
            *ret_at = pcre2_get_ovector_pointer(match_data)[0];
        if (r >= 0)
            return PATTERN_FOUND;
        if (r == PCRE2_ERROR_PARTIAL)
            return PATTERN_NONE;
        if (r != PCRE2_ERROR_NOMATCH || (deadline && clock_cpu_us() > deadline))
            return PATTERN_GAVE_UP;
        *ret_at = from = MIN_OF(size, last + 1);
    }
    return PATTERN_NONE;
}

void pattern_done(struct pattern *p)
{
    pcre2_code_free(p->code);
    p->code = NULL;
}

void pattern_set_deadline(uint64_t deadline_us)
{
    deadline = deadline_us;
}
