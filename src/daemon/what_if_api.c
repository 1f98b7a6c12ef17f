#include "daemon/what_if_api.h"

#include <stdio.h>
#include <sys/mman.h>

#include "base/io.h"
#include "daemon/audit_api.h"
#include "daemon/body.h"
#include "daemon/policy_tool.h"
#include "daemon/routes.h"

#define CONFIG_MAX_BYTES (256 * KIB)
#define ANSWER_MAX_BYTES (4 * MIB)
#define SHOWN            "1000" /* differences; the others are counted */
#define PATIENCE_MS      60000u
#define TIDY_MS          100u /* it has nothing to remove */
#define AT_ONCE          1u   /* one reads the whole audit */

struct question {
    struct body *body; /* owns the texts */
    const char *config, *since;
    size_t config_size;
};

static int read_question(const struct http_request *q, struct question *ret, struct error *err)
{
    int e = body_parse(q->body, q->body_size, false, &ret->body, err);
    if (e < 0)
        return e;
    ret->config = body_text(ret->body, "config", CONFIG_MAX_BYTES);
    ret->since = body_text(ret->body, "since", 64);
    if (!ret->config)
        (void)body_refuse(ret->body, "config", "is missing: the configuration, as YAML");
    else
        ret->config_size = strlen(ret->config);
    return body_end(ret->body, err);
}

/* What it found wrong, or why it could not work. */
static int refuse(int code, const struct buf *out, struct error *err)
{
    struct body *said = NULL;
    struct error ignored = { 0 };
    const bool is_read = body_parse_own(out->data, out->size, &said, &ignored) == 0;
    struct body *error = is_read ? body_object_if(said, "error") : NULL;
    const char *text = body_text_if(error, "message"), *remedy = body_text_if(error, "remedy");
    if (code == 2 && text)
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s", text);
    else
        (void)err_set(err, -EIO, BLAME_HOST, "POLICY", "sandbox-policy policy test ended with %d: %.200s", code,
                      text ? text : "");
    if (remedy)
        (void)err_remedy(err, "%s", remedy);
    (void)body_free(said);
    return err->code;
}

static int ask_tool(struct call *c, const struct question *q, const char *dir, int fd, struct buf *out,
                    struct error *err)
{
    const char *path = arena_printf(c->arena, "/proc/self/fd/%d", fd);
    const char *const words[] = { "sandbox-policy",
                                  "policy",
                                  "test",
                                  "--json",
                                  "--config",
                                  path,
                                  "--config-name",
                                  "config",
                                  "--audit",
                                  dir,
                                  "--limit",
                                  SHOWN,
                                  q->since ? "--since" : NULL,
                                  q->since,
                                  NULL };
    int code = 0;
    int e = policy_tool_run(
        c->service->paths->libexec, c->arena,
        &(struct policy_tool){
            .step = "POLICY", .words = words, .lent_fd = fd, .patience_ms = PATIENCE_MS, .tidy_ms = TIDY_MS },
        out, &code, err);
    if (e == -ETIMEDOUT || e == -EFBIG) {
        e = e == -EFBIG ? err_set(err, e, BLAME_CALLER, NULL, "the differences are larger than an answer may be")
                        : err_set(err, e, BLAME_CALLER, NULL,
                                  "the recorded decisions could not be made again within %u s", PATIENCE_MS / 1000);
        (void)err_remedy(err, "narrow it by since");
    } else if (e == 0 && code != 0) {
        e = refuse(code, out, err);
    }
    return e;
}

static int test(struct call *c, const struct question *q, struct buf *out, struct error *err)
{
    const char *dir = audit_dir(c->service, c->arena);
    cleanup(closep) int fd = memfd_create("config.yaml", MFD_CLOEXEC);
    if (!dir)
        return err_set(err, -ENOENT, BLAME_HOST, "AUDIT", "the audit is not open");
    if (fd < 0 || write_all(fd, q->config, q->config_size) < 0)
        return err_set(err, -errno, BLAME_HOST, "POLICY", "keep the configuration: %s", strerror(errno));
    return ask_tool(c, q, dir, fd, out, err);
}

void what_if(struct call *c, struct http_answer *a)
{
    struct gate *gate = &c->service->routes->what_ifs;
    struct question q = { 0 };
    struct error err = { 0 };
    struct buf out;
    buf_init(&out, ANSWER_MAX_BYTES);
    int e = read_question(c->request, &q, &err);
    if (e < 0)
        call_refuse(c, a, &err);
    else if (gate_enter(gate, AT_ONCE, "tests of a configuration", c, a)) {
        e = test(c, &q, &out, &err);
        gate_leave(gate);
        if (e < 0)
            call_refuse(c, a, &err);
        else
            (void)buf_add(answer_json(a, 200, ANSWER_MAX_BYTES), out.data, out.size);
    }
    buf_done(&out);
    (void)body_free(q.body);
}
