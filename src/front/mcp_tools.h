/* mcp_tools.h - the tools: each a row with its arguments, the request of our own interface that it becomes, and what is
 * told of the answer.
 *
 * Arguments go into that request as they came, member by member, so there is one place that says what a limit or a
 * language may be. Names that a row does not have go nowhere.
 */
#pragma once
#include "front/mcp_message.h"
#include "front/mcp_state.h"
#include "daemon/service.h"

struct mcp_result {
    struct buf structured; /* the members of structuredContent, with their braces */
    struct buf content;    /* items before its text, as JSON, each with a comma behind it */
    bool is_error;
};

enum mcp_type { TYPE_TEXT, TYPE_BYTES, TYPE_NUMBER, TYPE_INTEGER, TYPE_BOOLEAN, TYPE_LIST, TYPE_OBJECT };
struct mcp_argument {
    const char *name, *to; /* the member of the request that it becomes; NULL: mcp_ask.c reads it */
    bool is_required;
    enum mcp_type type;
    const char *schema; /* what follows the type in it */
};
struct mcp_call;
struct mcp_tool {
    const char *name, *title, *description;
    const struct mcp_argument *arguments; /* up to one without a name */
    const char *output;                   /* schema of structuredContent */
    bool runs, reads_only;
    bool is_raw;                  /* the answer is a file's bytes, for mcp_tell_file() */
    const char *method, *pattern; /* of what is asked about the session that is meant; or ask() */
    bool (*ask)(struct mcp_call *c, struct http_answer *a);
    const char *const *told; /* members of the answer that a model gets (NULL ends); or tell() */
    void (*tell)(struct body *answer, struct mcp_result *ret);
};

struct mcp_call {       /* one call of a tool; in the arena of its request, since its answer may be a stream */
    struct call *outer; /* of the client's request */
    const struct mcp_message *message;
    const char *mcp_session; /* "": none */
    const struct mcp_tool *tool;
    struct body *arguments;
    bool wants_events; /* output is to come as it is written */
    struct mcp_running running;
    struct error err; /* why nothing was asked */
};

/* NULL: there is none of this name. */
const struct mcp_tool *mcp_tool_find(const char *name);
/* Asks our own interface. False: c->err says why not. Otherwise the answer is to be read, and freed, by the caller. */
bool mcp_tool_ask(struct mcp_call *c, struct http_answer *a);
/* An answer that is whole becomes the tool's result. */
void mcp_tool_tell(const struct mcp_tool *t, unsigned status, const char *text, size_t size, struct mcp_result *ret);
/* What could not even be asked. */
void mcp_tool_refuse(const struct error *err, struct mcp_result *ret);
void mcp_result_init(struct mcp_result *r);
void mcp_result_done(struct mcp_result *r);
