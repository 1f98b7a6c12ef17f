/* session_list.c - what `sandbox-agent session list` and `snapshots` print. */
#include <jansson.h>
#include <stdio.h>

#include "base/parse.h"
#include "daemon/session_command.h"

/* --- list ----------------------------------------------------------------------------------------- */

enum { CELLS = 7 };

struct table {
    const char *member; /* the list's, in the answer */
    const char *heads[CELLS];
    /* Of the row, without what a terminal would obey. */
    void (*add_cell)(struct buf *to, const json_t *row, size_t i);
};

static void add_session(struct buf *to, const json_t *row, size_t i)
{
    static const char *const names[] = { "session_id", "agent_id", "risk_level", "state", NULL, "expires_at" };
    const char *name, *end = json_string_value(json_object_get(row, "end"));
    json_t *value;
    if (i == 4) {
        (void)buf_addf(to, "%lld+%lld", (long long)json_integer_value(json_object_get(row, "jobs")),
                       (long long)json_integer_value(json_object_get(row, "jobs_running")));
    } else if (i < ARRAY_LEN(names)) {
        const char *text = json_string_value(json_object_get(row, names[i]));
        (void)buf_adds_clean(to, text ? text : "-");
        if (i == 3 && end)
            (void)buf_addc(to, ':'), (void)buf_adds_clean(to, end);
    } else {
        json_object_foreach(json_object_get(row, "metadata"), name, value)
        {
            (void)buf_adds_clean(to, name);
            (void)buf_addc(to, '=');
            (void)buf_adds_clean(to, json_string_value(value) ? json_string_value(value) : "");
            (void)buf_addc(to, ' ');
        }
    }
}

static size_t width_of(const struct table *t, const json_t *list, size_t i)
{
    size_t width = strlen(t->heads[i]);
    for (size_t k = 0; k < json_array_size(list); k++) {
        struct buf cell;
        buf_init(&cell, SESSION_ANSWER_MAX);
        t->add_cell(&cell, json_array_get(list, k), i);
        width = MAX_OF(width, cell.size);
        buf_done(&cell);
    }
    return width;
}

/* row NULL: the heads. */
static void add_line(const struct table *t, struct buf *out, const json_t *row, const size_t *widths)
{
    for (size_t i = 0; i < CELLS; i++) {
        const size_t begin = out->size;
        if (row)
            t->add_cell(out, row, i);
        else
            (void)buf_adds(out, t->heads[i]);
        const size_t used = out->size - begin;
        if (i + 1 < CELLS)
            (void)buf_addf(out, "%*s  ", (int)(widths[i] - MIN_OF(widths[i], used)), "");
    }
    while (out->size && out->data[out->size - 1] == ' ')
        out->size--;
    (void)buf_addc(out, '\n');
}

static int print_table(const struct table *t, const struct buf *answer, struct error *err)
{
    json_t *root = answer->size ? json_loadb(answer->data, answer->size, 0, NULL) : NULL;
    const json_t *list = json_object_get(root, t->member);
    size_t widths[CELLS];
    struct buf out;
    if (!json_is_array(list)) {
        json_decref(root);
        return err_set(err, -EBADMSG, BLAME_HOST, NULL, "the answer is no list of %s", t->member);
    }
    buf_init(&out, 4 * SESSION_ANSWER_MAX);
    for (size_t i = 0; i < CELLS; i++)
        widths[i] = i + 1 < CELLS ? width_of(t, list, i) : 0;
    add_line(t, &out, NULL, widths);
    for (size_t k = 0; k < json_array_size(list); k++)
        add_line(t, &out, json_array_get(list, k), widths);
    const int code = out.failed ? 125 : session_command_print(out.data, out.size);
    buf_done(&out);
    json_decref(root);
    return code;
}

/* A list of several nodes that is not whole: on standard error, with --json, too. */
static void say_missing(const struct buf *answer)
{
    json_t *root = answer->size ? json_loadb(answer->data, answer->size, 0, NULL) : NULL, *node;
    size_t i;
    json_array_foreach(json_object_get(root, "missing_nodes"), i, node)
    {
        const char *name = json_string_value(json_object_get(node, "node"));
        const char *why = json_string_value(json_object_get(node, "reason"));
        struct buf line;
        buf_init(&line, 4 * KIB);
        (void)buf_adds(&line, "sandbox-agent: not in the list: those of node ");
        (void)buf_adds_clean(&line, name ? name : "?");
        (void)buf_adds(&line, ": ");
        (void)buf_adds_clean(&line, why ? why : "?");
        (void)fprintf(stderr, "%s\n", line.data ? line.data : "");
        buf_done(&line);
    }
    json_decref(root);
}

static int show(struct session_command *s, const struct table *t, const char *path, struct error *err)
{
    struct buf answer = { 0 };
    int e = session_command_ask(s, (struct service_request){ "GET", path, .timeout_ms = SESSION_PATIENCE_MS }, &answer,
                                err);
    if (e == 0)
        e = s->json ? session_command_print(answer.data, answer.size) : print_table(t, &answer, err);
    if (e == 0 && s->json)
        e = session_command_print("\n", 1);
    if (e >= 0)
        say_missing(&answer);
    buf_done(&answer);
    return e;
}

int session_command_list(struct session_command *s, struct error *err)
{
    static const struct table table = { "sessions",
                                        { "SESSION", "AGENT", "LEVEL", "STATE", "JOBS", "EXPIRES", "METADATA" },
                                        add_session };
    struct buf path;
    buf_init(&path, 256 * KIB);
    (void)buf_adds(&path, "/sessions");
    if (s->state) {
        (void)buf_adds(&path, "?state=");
        service_client_quote(&path, s->state, "");
    }
    STRLIST_FOREACH(pair, &s->metadata)
    {
        (void)buf_adds(&path, strchr(path.data, '?') ? "&metadata." : "?metadata.");
        service_client_quote(&path, pair, "=");
    }
    const int e = show(s, &table, path.data, err);
    buf_done(&path);
    return e;
}

/* --- snapshots ------------------------------------------------------------------------------------- */

static void add_snapshot(struct buf *to, const json_t *row, size_t i)
{
    static const char *const names[CELLS] = { "snapshot_id", "agent_id",     "risk_level", "created_at",
                                              "bytes",       "stored_bytes", "session_id" };
    const json_t *value = json_object_get(row, names[i]);
    char size[32];
    if (json_is_integer(value))
        (void)buf_adds(to, format_size((uint64_t)json_integer_value(value), size));
    else
        (void)buf_adds_clean(to,
                             json_string_value(value) && *json_string_value(value) ? json_string_value(value) : "-");
    if (i == 0 && json_is_true(json_object_get(row, "damaged")))
        (void)buf_adds(to, " (damaged)");
}

int session_command_check_snapshots(const struct session_command *s, struct error *err)
{
    const char *what = strlist_first(&s->places);
    const bool is_list = what && str_eq(what, "list"), is_remove = what && str_eq(what, "remove");
    if (is_list && s->places.count == 1)
        return 0;
    if (is_remove && s->places.count > 1 && !s->json)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                  is_remove && s->json ? "--json is for list"
                  : is_remove          ? "missing: the ID of a snapshot"
                                       : "expected is list, or remove and the IDs of snapshots");
    return err_remedy(err, "see sandbox-agent session snapshots --help");
}

int session_command_snapshots(struct session_command *s, struct error *err)
{
    static const struct table table = { "snapshots",
                                        { "SNAPSHOT", "AGENT", "LEVEL", "CREATED", "SIZE", "STORED", "SESSION" },
                                        add_snapshot };
    static const struct session_deed removal = { "session snapshots", "DELETE", "/snapshots/", "" };
    const char *what = strlist_first(&s->places);
    return str_eq(what, "list") ? show(s, &table, "/snapshots", err) : session_command_each(s, what, &removal, err);
}
