/* agents_print.h - agents as tables for people and as JSON for programs. */
#pragma once
#include "base/buf.h"
#include "policy/trust.h"
#include "run/agent_view.h"
#include "store/store.h"

/* How this terminal wants it: found out once. */
struct look {
    bool has_blocks;                                         /* UTF-8 */
    const char *bold, *dim, *off, *standing[STANDING_COUNT]; /* "" where no colours are wanted */
};
struct look look_find(void);

/* `rules`: for the score after silence, which is what the next run meets. */
void agents_print_list(struct buf *b, const struct look *l, const struct agent_list *list,
                       const struct trust_rules *rules, uint64_t now_ms);
void agents_print_one(struct buf *b, const struct look *l, const struct agent *agent,
                      const struct trust_history *history, const struct trust_rules *rules, uint64_t now_ms);
/* The score as a sum, what low takes, what is remembered. */
void agents_print_why(struct buf *b, const struct look *l, const struct agent *agent, const struct why_view *view,
                      const struct trust_rules *rules, uint64_t now_ms);
/* The object's members are those of struct agent, trust as 0.55, times as RFC 3339 or null; history: NULL for none. */
void agents_json_one(struct buf *b, const struct agent *agent, const struct trust_history *history,
                     const struct why_view *view, const struct trust_rules *rules, uint64_t now_ms);
void agents_json_list(struct buf *b, const struct agent_list *list, const struct trust_rules *rules, uint64_t now_ms);
/* A score's course, oldest left: at most `columns` characters of eight heights, and what lowest and highest are. */
void agents_draw(struct buf *b, bool has_blocks, const struct trust_history *history, uint32_t columns);
