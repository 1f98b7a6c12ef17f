/* watch.c - `sandbox-agent watch replay FILE`: what the detectors say to a recorded stream of events. */
#include <stdio.h>
#include "base/json.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "watch/record.h"
#include "watch/watch.h"

static const char *const mode_names[] = { "off", "report", "kill" };

struct replay {
    const char *file;
    FILE *from;
    bool json;
    uint64_t events;
    uint32_t findings;
    struct buf out;
};

static void add_finding(struct replay *r, const struct watch_finding *f)
{
    struct buf *b = &r->out;
    r->findings++;
    if (!r->json) {
        (void)buf_addf(b, "%llu.%03llu s  %-6s  %-28s  %s\n", (unsigned long long)(f->at_us / 1000000),
                       (unsigned long long)(f->at_us / 1000 % 1000), mode_names[f->mode], detector_names[f->detector],
                       f->evidence);
        return;
    }
    json_open(b, '{');
    json_key(b, "event"), json_uint(b, r->events);
    json_key(b, "at_us"), json_uint(b, f->at_us);
    json_key(b, "detector"), json_put_string(b, detector_names[f->detector]);
    json_key(b, "mode"), json_put_string(b, mode_names[f->mode]);
    json_key(b, "evidence"), json_put_string(b, f->evidence);
    json_close(b, '}');
}

static int replay(struct replay *r, struct watch *w, struct error *err)
{
    cleanup(freep) char *line = malloc(RECORD_LINE_MAX + 2);
    struct record record;
    struct watch_finding found[DETECTOR_COUNT];
    if (!line)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "out of memory");
    while (fgets(line, RECORD_LINE_MAX + 2, r->from)) {
        size_t size = strlen(line);
        if (size && line[size - 1] == '\n')
            size--;
        else if (!feof(r->from))
            return err_set(err, -EFBIG, BLAME_CALLER, NULL, "%s:%llu: a line of more than %u bytes, or with a NUL",
                           r->file, (unsigned long long)r->events + 1, RECORD_LINE_MAX);
        if (record_read(line, size, &record, err) < 0)
            return err_wrap(err, "%s:%llu", r->file, (unsigned long long)r->events + 1);
        r->events++;
        size_t n = watch_feed(w, &record.event, found);
        for (size_t i = 0; i < n; i++)
            add_finding(r, &found[i]);
    }
    return ferror(r->from) ? err_set(err, -EIO, BLAME_CALLER, NULL, "%s: cannot be read", r->file) : 0;
}

static int print(struct replay *r)
{
    if (r->json)
        (void)printf("{\"events\":%llu,\"findings\":[%s]}\n", (unsigned long long)r->events,
                     r->out.data ? r->out.data : "");
    else
        (void)printf("%s%llu events, %u finding%s\n", r->out.data ? r->out.data : "", (unsigned long long)r->events,
                     r->findings, r->findings == 1 ? "" : "s");
    return output_end(r->findings ? 1 : 0);
}

static int open_and_replay(struct replay *r, const struct profile *p, struct error *err)
{
    const bool is_stdin = str_eq(r->file, "-");
    r->from = is_stdin ? stdin : fopen(r->file, "re");
    if (!r->from)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", r->file);
    struct watch *w = watch_new(p);
    int e = w ? replay(r, w, err) : err_set(err, -ENOMEM, BLAME_HOST, NULL, "out of memory");
    (void)watch_free(w);
    if (!is_stdin)
        (void)fclose(r->from);
    return e;
}

static int watch_replay(const struct paths *p, int argc, char **argv, struct error *err)
{
    struct options run = { .dry_run = true }; /* the policy is looked at, not stored */
    struct compiled policy;
    struct replay r = { 0 };
    const char *level = NULL;
    size_t n;
    const struct word table[] = { { "--profile", &run.profile, NULL, NULL },
                                  { "--risk-level", &level, NULL, NULL },
                                  { "--config", &run.config, NULL, NULL },
                                  { "--json", NULL, &r.json, NULL },
                                  { 0 } };
    int e = words_parse(argc, argv, table, &r.file, 1, &n, err);
    if (e == 0 && n == 0)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL,
                    "watch replay: which file? For example: sandbox-agent watch replay events.jsonl");
    if (e == 0 && level && (e = options_level(&run, level, err)) < 0)
        return err_wrap(err, "watch replay");
    if (e < 0 || (e = policy_load(&run, p, NULL, NULL, LANG_COMMAND, &policy, err)) < 0)
        return e;
    buf_init(&r.out, 64 * KIB);
    e = open_and_replay(&r, &policy.profile, err);
    if (e == 0)
        e = print(&r);
    buf_done(&r.out);
    compiled_done(&policy);
    return e;
}

int cmd_watch(const struct paths *p, struct arena *a, int argc, char **argv)
{
    struct error err = { 0 };
    (void)a;
    int code = argc > 1 && str_eq(argv[1], "replay")
                   ? watch_replay(p, argc - 1, argv + 1, &err)
                   : err_set(&err, -EINVAL, BLAME_CALLER, NULL,
                             "watch: expected is replay, then a file; see sandbox-agent watch --help");
    return code < 0 ? records_fail(&err) : code;
}
