#include "front/mcp_tools.h"

#include "front/mcp.h"
#include "front/mcp_ask.h"
#include "front/mcp_result.h"

/* --- arguments ------------------------------------------------------------------------------------------------ */

#define WORDS(words)  "\"description\":\"" words "\""
#define TEXT(words)   TYPE_TEXT, WORDS(words)
#define NUMBER(words) TYPE_NUMBER, "\"exclusiveMinimum\":0," WORDS(words)
#define LEVEL                                                                              \
    TYPE_TEXT, "\"enum\":[\"low\",\"medium\",\"high\"]," WORDS(                            \
                   "How strict the sandbox is (high: the strictest). Left out: what this " \
                   "agent's record permits")
#define SESSION(words) TEXT("The session, from session_start" words)
#define OWN_SESSION                                                                               \
    SESSION(". Only a client with an MCP session (initialize) may leave it out: the one that it " \
            "started last is meant then")
#define ENV     TYPE_OBJECT, "\"additionalProperties\":{\"type\":\"string\"}," WORDS("Environment variables")
#define TIMEOUT NUMBER("Seconds until the program is killed; at most the level's")
#define PATH    TEXT("The file, below /workspace")
#define STDIN   TEXT("What the program reads from standard input")
#define LAST                               \
    {                                      \
        NULL, NULL, false, TYPE_TEXT, NULL \
    }

static const struct mcp_argument code_arguments[] = {
    { "language", "language", true, TYPE_TEXT,
      "\"enum\":[\"python\",\"node\",\"bash\",\"go\",\"rust\"]," WORDS("The language of the code") },
    { "code", "code", true, TEXT("The whole program") },
    { "stdin", "stdin", false, STDIN },
    { "args", "args", false, TYPE_LIST, "\"items\":{\"type\":\"string\"}," WORDS("Arguments of the program") },
    { "env", "env", false, ENV },
    { "timeout", NULL, false, TIMEOUT },
    { "session_id", NULL, false, SESSION(", where files of before are needed. Not for go and rust") },
    { "risk_level", NULL, false, LEVEL },
    LAST
};

static const struct mcp_argument start_arguments[] = {
    { "risk_level", "risk_level", false, LEVEL },
    { "ttl", "ttl", false, TYPE_INTEGER,
      "\"minimum\":1,\"maximum\":86400," WORDS("Seconds it lives; 3600 where it is left out") },
    { "env", "env", false, ENV },
    { "packages", "packages", false, TEXT("The name of a package set that its jobs find") },
    LAST
};

static const struct mcp_argument end_arguments[] = { { "session_id", NULL, false, OWN_SESSION }, LAST };

static const struct mcp_argument undo_arguments[] = { { "checkpoint_id", "checkpoint_id", false,
                                                        TEXT("From checkpoint; the last one where it is left out") },
                                                      { "session_id", NULL, false, OWN_SESSION },
                                                      LAST };

static const struct mcp_argument read_arguments[] = { { "path", NULL, true, PATH },
                                                      { "offset", NULL, false, TYPE_INTEGER,
                                                        "\"minimum\":0," WORDS("Bytes to leave out at the beginning") },
                                                      { "session_id", NULL, false, OWN_SESSION },
                                                      LAST };

static const struct mcp_argument write_arguments[] = {
    { "path", NULL, true, PATH },
    { "content", NULL, false, TYPE_BYTES, WORDS("The whole file, as text") },
    { "content_base64", NULL, false, TYPE_BYTES, WORDS("Instead of content: bytes in base64") },
    { "executable", NULL, false, TYPE_BOOLEAN, WORDS("Whether it may be executed") },
    { "session_id", NULL, false, OWN_SESSION },
    LAST
};

static const struct mcp_argument list_arguments[] = {
    { "path", NULL, false, TEXT("A directory below /workspace; all of it where it is left out") },
    { "depth", NULL, false, TYPE_INTEGER,
      "\"minimum\":1,\"maximum\":64," WORDS("How deep to look; 1 where it is left out") },
    { "session_id", NULL, false, OWN_SESSION },
    LAST
};

static const struct mcp_argument explain_arguments[] = {
    { "execution_id", NULL, false, TEXT("Which run; the last that was refused or cut off where it is left out") }, LAST
};

static const struct mcp_argument command_arguments[] = {
    { "command", NULL, true, TEXT("A line for bash") },
    { "stdin", "stdin", false, STDIN },
    { "env", "env", false, ENV },
    { "cwd", NULL, false, TEXT("The directory to start in; in a session only") },
    { "timeout", NULL, false, TIMEOUT },
    { "session_id", NULL, false, SESSION(", where files of before are needed") },
    { "risk_level", NULL, false, LEVEL },
    LAST
};

/* --- the table ------------------------------------------------------------------------------------------------ */

static const char *const of_session[] = { "session_id", "risk_level", "state", "expires_at", NULL };
static const char *const of_checkpoint[] = { "checkpoint_id", "session_id", "kept", "dropped", NULL };
static const char *const of_list[] = { "entries", "truncated", NULL };
static const char *const of_explained[] = { "execution_id", "reason", "error",      "violations", "findings", "reasons",
                                            "kill_switch",  "trust",  "risk_level", "language",   "allowed",  NULL };

static const struct mcp_tool tools[] = {
    { .name = "run_code",
      .title = "Run code in a sandbox",
      .description = "Runs a whole program in an isolated sandbox and returns what it printed. Without a session "
                     "nothing is kept: each call begins with an empty /workspace. Print what you want to see: there is "
                     "no value of a last expression. If it is "
                     "refused, `error` says why and what to do.",
      .arguments = code_arguments,
      .output = MCP_RUN_SCHEMA,
      .runs = true,
      .ask = mcp_ask_code,
      .tell = mcp_tell_run },
    { .name = "run_command",
      .title = "Run a command in a sandbox",
      .description = "Runs one line of bash in an isolated sandbox and returns what it printed. Without a session "
                     "nothing is kept.",
      .arguments = command_arguments,
      .output = MCP_RUN_SCHEMA,
      .runs = true,
      .ask = mcp_ask_command,
      .tell = mcp_tell_run },
    { .name = "session_start",
      .title = "Start a sandbox that stays",
      .description =
          "Starts a sandbox whose /workspace stays between calls. Give its session_id to the other tools; only "
          "a client with an MCP session (initialize) may leave it out. It lives until session_end, its ttl, "
          "or the end of that MCP session.",
      .arguments = start_arguments,
      .output = MCP_SESSION_SCHEMA,
      .ask = mcp_ask_start,
      .told = of_session },
    { .name = "session_end",
      .title = "End a sandbox",
      .description = "Ends a session: what runs in it is killed, its files are gone.",
      .arguments = end_arguments,
      .output = MCP_SESSION_SCHEMA,
      .method = "DELETE",
      .pattern = "/sessions/{session_id}",
      .told = of_session },
    { .name = "checkpoint",
      .title = "Keep a session's files",
      .description = "Keeps /workspace of a session as it is now, so that undo can go back to it. Cheap: what has not "
                     "changed is not copied. Make one before a step that may go wrong.",
      .arguments = end_arguments,
      .output = MCP_CHECKPOINT_SCHEMA,
      .method = "POST",
      .pattern = "/sessions/{session_id}/checkpoints",
      .told = of_checkpoint },
    { .name = "undo",
      .title = "Take back a session's files",
      .description =
          "Makes /workspace of a session what it was at a checkpoint. Checkpoints that were made after it are "
          "gone. Processes, /tmp and what has gone over the network are not taken back.",
      .arguments = undo_arguments,
      .output = MCP_CHECKPOINT_SCHEMA,
      .method = "POST",
      .pattern = "/sessions/{session_id}/undo",
      .told = of_checkpoint },
    { .name = "write_file",
      .title = "Write a file in a session",
      .description =
          "Writes a file below /workspace of a session, with the directories above it. What was there is replaced.",
      .arguments = write_arguments,
      .output = MCP_FILE_SCHEMA,
      .ask = mcp_ask_write,
      .tell = mcp_tell_written },
    { .name = "read_file",
      .title = "Read a file of a session",
      .description = "Reads a file below /workspace of a session: text, or base64 where it is none; PNG, JPEG, GIF and "
                     "WebP come as a picture.",
      .arguments = read_arguments,
      .output = MCP_FILE_SCHEMA,
      .reads_only = true,
      .is_raw = true,
      .ask = mcp_ask_read },
    { .name = "list_files",
      .title = "List the files of a session",
      .description = "Lists a directory below /workspace of a session.",
      .arguments = list_arguments,
      .output = MCP_LIST_SCHEMA,
      .reads_only = true,
      .ask = mcp_ask_list,
      .told = of_list },
    { .name = "explain",
      .title = "Explain a refusal",
      .description = "Says why a run was refused or cut off, and what its risk level allows: limits, network, files, "
                     "modules and commands.",
      .arguments = explain_arguments,
      .output = MCP_EXPLAIN_SCHEMA,
      .reads_only = true,
      .ask = mcp_ask_explain,
      .told = of_explained },
};

static void put_argument(const struct mcp_argument *g, struct buf *out)
{
    static const char *const names[] = {
        [TYPE_TEXT] = "string",     [TYPE_BYTES] = "string", [TYPE_NUMBER] = "number", [TYPE_INTEGER] = "integer",
        [TYPE_BOOLEAN] = "boolean", [TYPE_LIST] = "array",   [TYPE_OBJECT] = "object"
    };
    json_key(out, g->name);
    (void)buf_addf(out, "{\"type\":\"%s\",%s}", names[g->type], g->schema);
}

static void put_schema(const struct mcp_argument *list, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "object");
    json_key(out, "properties"), json_open(out, '{');
    for (const struct mcp_argument *g = list; g->name; g++)
        put_argument(g, out);
    json_close(out, '}');
    json_key(out, "required"), json_open(out, '[');
    for (const struct mcp_argument *g = list; g->name; g++)
        if (g->is_required)
            json_put_string(out, g->name);
    json_close(out, ']');
    json_key(out, "additionalProperties"), json_bool(out, false);
    json_close(out, '}');
}

static void put_tool(const struct mcp_tool *t, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "name"), json_put_string(out, t->name);
    json_key(out, "title"), json_put_string(out, t->title);
    json_key(out, "description"), json_put_string(out, t->description);
    json_key(out, "inputSchema"), put_schema(t->arguments, out);
    json_key(out, "outputSchema"), (void)buf_adds(out, t->output);
    json_key(out, "annotations"), json_open(out, '{');
    json_key(out, "readOnlyHint"), json_bool(out, t->reads_only);
    json_key(out, "destructiveHint"), json_bool(out, false);
    json_key(out, "openWorldHint"), json_bool(out, t->runs);
    json_close(out, '}');
    json_close(out, '}');
}

void mcp_tools_list(struct buf *out)
{
    json_key(out, "tools"), json_open(out, '[');
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        put_tool(&tools[i], out);
    json_close(out, ']');
}

const struct mcp_tool *mcp_tool_find(const char *name)
{
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        if (str_eq(tools[i].name, name))
            return &tools[i];
    return NULL;
}

/* What is only passed on is looked at where it goes. */
static void check_type(struct body *b, const struct mcp_argument *g)
{
    size_t size;
    (void)body_has(b, g->name);
    if (g->to)
        return;
    switch (g->type) {
    case TYPE_TEXT:
        (void)body_text(b, g->name, SIZE_MAX);
        break;
    case TYPE_BYTES:
        (void)body_bytes(b, g->name, SIZE_MAX, &size);
        break;
    case TYPE_INTEGER:
        (void)body_uint(b, g->name, INT64_MAX, 0);
        break;
    case TYPE_BOOLEAN:
        (void)body_bool(b, g->name, false);
        break;
    case TYPE_NUMBER: /* mcp_ask.c passes these on by itself */
    case TYPE_LIST:
    case TYPE_OBJECT:
        break;
    }
}

/* Every name is one of the table's, and what must be there is. */
static bool check_arguments(struct mcp_call *c)
{
    const char *missing = NULL;
    for (const struct mcp_argument *g = c->tool->arguments; g->name; g++)
        check_type(c->arguments, g);
    for (const struct mcp_argument *g = c->tool->arguments; g->name; g++)
        if (!body_has(c->arguments, g->name) && g->is_required && !missing)
            missing = g->name;
    return body_end(c->arguments, &c->err) == 0 && (!missing || mcp_refuse(c, missing, "is missing", NULL));
}

bool mcp_tool_ask(struct mcp_call *c, struct http_answer *a)
{
    return check_arguments(c) && (c->tool->ask ? c->tool->ask : mcp_ask_of_session)(c, a);
}

void mcp_tool_tell(const struct mcp_tool *t, unsigned status, const char *text, size_t size, struct mcp_result *ret)
{
    struct body *answer = NULL;
    struct error err = { 0 };
    if (t->is_raw && status / 100 == 2) {
        mcp_tell_file(text, size, ret);
    } else if (body_parse(text, size, false, &answer, &err) < 0) {
        (void)err_set(&err, -EPROTO, BLAME_US, NULL, "the service's own answer could not be read: %.200s", err.text);
        mcp_tool_refuse(&err, ret);
    } else if (status / 100 != 2) {
        mcp_tell_error(answer, ret);
    } else if (t->told) {
        mcp_tell_members(answer, t->told, ret);
    } else {
        t->tell(answer, ret);
    }
    (void)body_free(answer);
}
