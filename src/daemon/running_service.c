/* running_service.c - the service's executions that run or wait, by its API; and what is done to one. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <signal.h>
#include <unistd.h>

#include "audit/line.h"
#include "base/clock.h"
#include "base/json.h"
#include "daemon/running_rows.h"

#define PAGE       500u
#define ANSWER_MAX (4 * MIB)
#define TIMEOUT_MS 10000u

static int ask(const struct service_client *c, const char *method, const char *path, const char *body, struct buf *out,
               struct error *err)
{
    const struct service_request r = {
        .method = method, .path = path, .body = body, .max_bytes = ANSWER_MAX, .timeout_ms = TIMEOUT_MS
    };
    return service_client_expect(c, &r, out, err);
}

/* --- the list ------------------------------------------------------------------------------------- */

static void take_text(char *to, size_t size, const json_t *row, const char *name)
{
    const char *text = json_string_value(json_object_get(row, name));
    (void)snprintf(to, size, "%s", text ? text : "");
}

static uint64_t number(const json_t *row, const char *name, double scale)
{
    const double v = json_number_value(json_object_get(row, name)) * scale;
    return v > 0 && v < 1e18 ? (uint64_t)v : 0;
}

static uint64_t age_of(const json_t *row, uint64_t now_ms)
{
    const char *at = json_string_value(json_object_get(row, "started_at"));
    uint64_t ms = 0;
    at = at ? at : json_string_value(json_object_get(row, "accepted_at"));
    if (!at || audit_time_read(at, strlen(at), &ms) < 0)
        return 0;
    return now_ms > ms ? now_ms - ms : 0;
}

static void take_row(struct running *r, const json_t *row, uint64_t now_ms)
{
    const json_t *usage = json_object_get(row, "usage");
    struct running_row *to = running_add(r);
    if (!to)
        return;
    *to = (struct running_row){ .kind = RUNNING_EXECUTION, .age_ms = age_of(row, now_ms) };
    take_text(to->id, sizeof to->id, row, "execution_id");
    if (str_starts(to->id, "sess-"))
        to->kind = RUNNING_SESSION;
    take_text(to->agent, sizeof to->agent, row, "agent_id");
    take_text(to->language, sizeof to->language, row, "language");
    take_text(to->level, sizeof to->level, row, "risk_level");
    take_text(to->state, sizeof to->state, row, "state");
    to->has_usage = usage != NULL;
    to->usage = (struct live_usage){ .at_us = number(usage, "at_ms", 1000),
                                     .cpu_us = number(usage, "cpu_ms", 1000),
                                     .memory_bytes = number(usage, "memory_bytes", 1),
                                     .bytes_out = number(usage, "bytes_out", 1),
                                     .bytes_in = number(usage, "bytes_in", 1),
                                     .pids = (uint32_t)MIN_OF(number(usage, "pids", 1), UINT64_C(1000000)) };
}

static int add_state(struct running *r, const struct service_client *c, const char *state, struct error *err)
{
    char path[100];
    struct buf answer;
    (void)snprintf(path, sizeof path, "/executions?state=%s&limit=%u", state, PAGE);
    int e = ask(c, "GET", path, NULL, &answer, err);
    json_t *root = e == 0 && answer.size ? json_loadb(answer.data, answer.size, 0, NULL) : NULL;
    const json_t *list = json_object_get(root, "executions");
    if (e == 0 && !json_is_array(list))
        e = err_set(err, -EBADMSG, BLAME_HOST, NULL, "%s%s: the answer is no list of executions", c->url, path);
    for (size_t i = 0; e == 0 && i < json_array_size(list); i++)
        take_row(r, json_array_get(list, i), wall_clock_ms());
    r->is_cut = r->is_cut || (e == 0 && json_is_string(json_object_get(root, "next")));
    json_decref(root);
    buf_done(&answer);
    return e;
}

int running_add_service(struct running *r, const struct service_client *c, struct error *err)
{
    int e = add_state(r, c, "running", err);
    return e < 0 ? e : add_state(r, c, "queued", err);
}

/* --- acts ----------------------------------------------------------------------------------------- */

static int act(const struct service_client *c, const char *method, struct buf *path, struct buf *body,
               struct error *err)
{
    struct buf answer = { 0 };
    int e = path->failed || body->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory")
                                         : ask(c, method, path->data, body->data, &answer, err);
    buf_done(&answer);
    buf_done(path);
    buf_done(body);
    return e;
}

/* The process that was seen, and no later one of its pid. */
static int end_direct(pid_t pid, struct error *err)
{
    char name[64] = "", path[64];
    cleanup(closep) int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    (void)snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    FILE *f = fd < 0 ? NULL : fopen(path, "re");
    if (f && !fgets(name, sizeof name, f))
        name[0] = '\0';
    if (f)
        (void)fclose(f); /* read only */
    if (!str_eq(name, RUNNING_AGENT_COMM "\n"))
        return err_set(err, -ESRCH, BLAME_CALLER, NULL, "it has ended already");
    return syscall(SYS_pidfd_send_signal, fd, SIGTERM, NULL, 0) < 0
               ? err_set(err, -errno, BLAME_CALLER, NULL, "signal process %d: %m", (int)pid)
               : 0;
}

int running_end(const struct running_row *row, const struct service_client *c, const char *reason, struct error *err)
{
    struct buf path, body = { 0 };
    if (row->kind == RUNNING_DIRECT)
        return end_direct(row->pid, err);
    buf_init(&path, 8 * KIB);
    (void)buf_adds(&path, "/executions/");
    service_client_quote(&path, row->id, "");
    (void)buf_adds(&path, "?reason=");
    service_client_quote(&path, reason, "");
    return act(c, "DELETE", &path, &body, err);
}

int running_quarantine(const struct running_row *row, const struct service_client *c, const char *reason,
                       struct error *err)
{
    struct buf path, body;
    if (!row->agent[0])
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "this run has no agent");
    if (row->kind == RUNNING_DIRECT)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "an agent of the command line: sandbox-agent agents quarantine %s", row->agent);
    buf_init(&path, 8 * KIB);
    buf_init(&body, 8 * KIB);
    (void)buf_adds(&path, "/agents/");
    service_client_quote(&path, row->agent, "");
    (void)buf_adds(&path, "/quarantine");
    json_open(&body, '{');
    json_key(&body, "reason"), json_put_string(&body, reason);
    json_close(&body, '}');
    return act(c, "POST", &path, &body, err);
}
