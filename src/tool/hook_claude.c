/* hook_claude.c - `sandbox-agent hook claude-code`: a PreToolUse hook of Claude Code.
 *
 * Claude Code writes what a tool is about to do as JSON to our standard input, and does what our answer says
 * (PreToolUseHookInput and PreToolUseHookSpecificOutput in sdk.d.ts of @anthropic-ai/claude-agent-sdk 0.3.330). A Bash
 * call comes back as `sandbox-agent wrap ... -- bash -c COMMAND`; any other tool passes without an answer.
 *
 * It fails closed: what cannot be read or rewritten is denied, with the reason. Claude Code itself goes on when a hook
 * ends by another code than 0 and 2, or is not found: hence the `|| exit 2` in docs/wrap.md.
 */
#include "tool/tool.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"

#define INPUT_MAX (8 * MIB)

/* The answer's one member that Claude Code looks at. Takes updated, which may be NULL. */
static int answer(const char *decision, const char *reason, json_t *updated)
{
    json_t *o = json_pack("{s:s, s:s, s:s}", "hookEventName", "PreToolUse", "permissionDecision", decision,
                          "permissionDecisionReason", reason);
    if (o && updated && json_object_set_new(o, "updatedInput", updated) < 0)
        json_decref(o), o = NULL;
    json_t *top = o ? json_pack("{s:o}", "hookSpecificOutput", o) : NULL;
    char *text = top ? json_dumps(top, JSON_COMPACT) : NULL;
    json_decref(top);
    bool is_told = text && puts(text) >= 0 && fflush(stdout) == 0;
    free(text);
    return is_told ? 0 : 2; /* 2 blocks, too */
}

static int deny(const char *fmt, ...) PRINTF_LIKE(1, 2);
static int deny(const char *fmt, ...)
{
    char reason[1024] = "sandbox-agent: ";
    const size_t n = strlen(reason);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(reason + n, sizeof reason - n, fmt, args);
    va_end(args);
    return answer("deny", reason, NULL);
}

/* One word of a shell's, whatever is in it. */
static void add_quoted(struct buf *b, const char *word)
{
    (void)buf_adds(b, " '");
    for (; *word; word++)
        (void)(*word == '\'' ? buf_adds(b, "'\\''") : buf_addc(b, *word));
    (void)buf_addc(b, '\'');
}

/* Claude Code names the directory that it was started in; cwd may be one below, after a cd. */
static bool find_project(const char *cwd, char ret[static PATH_MAX])
{
    char here[PATH_MAX];
    const char *top = getenv("CLAUDE_PROJECT_DIR");
    struct stat st;
    if (!realpath(cwd, here) || stat(here, &st) < 0 || !S_ISDIR(st.st_mode))
        return false;
    if (!top || top[0] != '/' || !realpath(top, ret) || !path_is_within(here, ret))
        (void)snprintf(ret, PATH_MAX, "%s", here);
    return true;
}

struct hook {
    const char *agent; /* our command line's program */
    bool asks;
    char **options; /* of wrap */
    int option_count;
};

/* Changes directory first: the hook's word holds, wherever the tool's shell is. */
static int rewrite(const struct hook *h, const json_t *input, const char *command, const char *cwd)
{
    char project[PATH_MAX];
    struct buf b;
    if (!find_project(cwd, project))
        return deny("cwd %.300s is no directory", cwd);
    buf_init(&b, 2 * INPUT_MAX);
    (void)buf_adds(&b, "cd");
    add_quoted(&b, cwd);
    (void)buf_adds(&b, " &&");
    add_quoted(&b, h->agent);
    (void)buf_adds(&b, " wrap --project");
    add_quoted(&b, project);
    for (int i = 0; i < h->option_count; i++)
        add_quoted(&b, h->options[i]);
    (void)buf_adds(&b, " -- bash -c");
    add_quoted(&b, command);
    json_t *updated = b.failed ? NULL : json_copy((json_t *)input);
    json_t *text = updated ? json_stringn(b.data, b.size) : NULL;
    buf_done(&b);
    if (!text || json_object_set_new(updated, "command", text) < 0) {
        json_decref(updated);
        return deny("the command cannot be rewritten: too long, or no memory");
    }
    return answer(h->asks ? "ask" : "allow", "runs in sandbox-agent's sandbox", updated);
}

static int decide(const struct hook *h, const json_t *o)
{
    const char *event = json_string_value(json_object_get(o, "hook_event_name"));
    const char *tool = json_string_value(json_object_get(o, "tool_name"));
    const char *cwd = json_string_value(json_object_get(o, "cwd"));
    const json_t *input = json_object_get(o, "tool_input");
    const json_t *command = json_object_get(input, "command");
    if (!event || !str_eq(event, "PreToolUse"))
        return deny("hook_event_name is %.100s, and this hook is for PreToolUse", event ? event : "missing");
    if (!tool)
        return deny("tool_name is missing");
    if (!str_eq(tool, "Bash"))
        return 0;
    if (!json_is_string(command) || !json_string_length(command))
        return deny("tool_input.command of Bash is missing or empty");
    if (strlen(json_string_value(command)) != json_string_length(command))
        return deny("tool_input.command holds a NUL byte");
    if (!cwd || cwd[0] != '/')
        return deny("cwd is missing or not absolute");
    if (strlen(cwd) != json_string_length(json_object_get(o, "cwd")))
        return deny("cwd holds a NUL byte");
    if (access(h->agent, X_OK) < 0)
        return deny("%s: %s: the installation is incomplete", h->agent, strerror(errno));
    return rewrite(h, input, json_string_value(command), cwd);
}

static int usage(int code)
{
    (void)fprintf(code ? stderr : stdout,
                  "usage: sandbox-agent hook claude-code [--ask] [options of sandbox-agent wrap]\n\n"
                  "A PreToolUse hook of Claude Code: reads a tool call as JSON from standard input and answers that a\n"
                  "Bash command runs by `sandbox-agent wrap` in the project (docs/wrap.md). --ask: you are asked for\n"
                  "each; without it the sandbox takes the question's place.\n");
    return code;
}

int cmd_hook(struct tool *t, int argc, char **argv)
{
    char agent[PATH_MAX];
    struct buf b;
    if (argc >= 2 && (str_eq(argv[1], "--help") || str_eq(argv[1], "-h")))
        return usage(0);
    if (argc < 2 || !str_eq(argv[1], "claude-code"))
        return usage(2);
    const bool asks = argc > 2 && str_eq(argv[2], "--ask");
    const int first = asks ? 3 : 2;
    struct hook h = { .agent = agent, .asks = asks, .options = argv + first, .option_count = argc - first };
    (void)snprintf(agent, sizeof agent, "%s/../../bin/sandbox-agent", t->exe_dir);
    char real[PATH_MAX];
    if (realpath(agent, real))
        h.agent = real;
    for (int i = first; i < argc; i++)
        if (str_eq(argv[i], "--"))
            return deny("%s is not for the hook's options", argv[i]);
    buf_init(&b, INPUT_MAX);
    int e = read_open_file(STDIN_FILENO, &b);
    json_error_t why;
    json_t *o = e == 0 ? json_loadb(b.data ? b.data : "", b.size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &why) : NULL;
    buf_done(&b);
    int code = e < 0 ? deny("the hook's input cannot be read: %s", strerror(-e))
               : !json_is_object(o)
                   ? deny("the hook's input is not a JSON object: %.100s", o ? "another value" : why.text)
                   : decide(&h, o);
    json_decref(o);
    return code;
}
