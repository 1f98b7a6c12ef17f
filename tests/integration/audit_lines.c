/* audit_lines.c - writes lines as runs do, for test_audit.py: LOG_DIR STATE_DIR COUNT MAX_BYTES. COUNT 0: artifacts of
 * two runs instead. */
#include <stdio.h>
#include "audit/artifacts.h"
#include "audit/audit.h"
#include "base/parse.h"

static int keep(const char *log)
{
    static const char *const ids[] = { "exec-a", "exec-b" };
    struct arena arena = { 0 };
    struct error err = { 0 };
    struct artifacts s;
    const char *path = arena_printf(&arena, "%s/artifacts", log);
    static char big[99999];
    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        if (artifacts_open(&s, path, 1000, ids[i], &arena, &err) < 0 ||
            artifacts_add(&s, "code", "code.py", "print(1)", 8, &err) < 0 ||
            artifacts_add(&s, "stdout", "output", "out", 3, &err) < 0 ||
            artifacts_add(&s, "workspace", "big", big, sizeof big, &err) < 0 || artifacts_close(&s, &err) < 0) {
            (void)fprintf(stderr, "%s\n", err.text);
            return 1;
        }
    arena_done(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    struct config c;
    struct arena arena = { 0 };
    struct error err = { 0 };
    struct audit a;
    uint64_t count, most;
    if (argc != 5 || parse_u64(argv[3], &count) < 0 || parse_u64(argv[4], &most) < 0)
        return 2;
    if (!count)
        return keep(argv[1]);
    config_defaults(&c);
    c.security.audit_max_size = most;
    c.security.audit_sign_every = 10;
    const char *const dirs[] = { argv[1], NULL };
    int e = audit_open(&a, dirs, argv[2], &c, &arena, &err);
    for (uint64_t i = 0; e == 0 && i < count; i++) {
        const char *agent = arena_printf(&arena, "agent-%u", (unsigned)(i % 7));
        bool is_bad = i % 5 == 4;
        e = audit_write(&a,
                        &(struct audit_event){ .action = is_bad ? "execution-refused" : "execution-finished",
                                               .category = "process",
                                               .type = "start",
                                               .outcome = is_bad ? "failure" : "success",
                                               .kind = is_bad ? "alert" : NULL,
                                               .reason = is_bad ? "policy_denied" : "completed",
                                               .rule = is_bad ? "scan.reverse-shell" : NULL,
                                               .agent_id = agent,
                                               .level = "low",
                                               .duration_us = 3000,
                                               .execution_id = "exec-1",
                                               .message = "a run, evil\x1b[31m",
                                               .extra = "\"trust\":{\"before\":0.5,\"after\":0.55}" },
                        &err);
    }
    if (e < 0)
        (void)fprintf(stderr, "%s; %s\n", err.text, err.remedy);
    audit_settle(&a);
    audit_close(&a);
    arena_done(&arena);
    config_done(&c);
    return e < 0;
}
