/* make_corpus.c - writes the corpus of fuzz_protocol: valid messages of today, raw, and edits that find today's doors.
 *
 *   make_corpus DIRECTORY      run again when the protocol has changed and raw messages should follow
 */
#include <fcntl.h>
#include <stdio.h>
#include "sample_plan.h"

static const char *directory;

static void save(const char *name, char kind, const void *data, size_t size)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, &kind, 1) != 1 || write(fd, data, size) != (ssize_t)size) {
        perror(path);
        exit(1);
    }
    (void)close(fd);
}

static void save_run(const char *name, const struct sample *s)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_run(&b, 7, &s->shape, &s->job);
    save(name, 'r', b.data, b.size);
    buf_done(&b);
}

static void save_outcome(const char *name, const struct outcome *o)
{
    struct buf b;
    buf_init(&b, PLAN_MAX_MESSAGE);
    pack_outcome(&b, 7, o);
    save(name, 'o', b.data, b.size);
    buf_done(&b);
}

static void save_runs(void)
{
    struct sample s;
    sample_init(&s, "/bin/true", NULL, NULL);
    save_run("run-true", &s);
    s.job.file_count = 1;
    s.job.files[0] = (struct plan_file){ "/code/main.py", 0, 100, 0444 };
    s.job.artifact = "/tmp/out";
    s.job.report_fd = 15;
    s.job.workspace = "/tmp";
    s.shape.apparmor = "sandbox-agent-confined";
    s.shape.selinux = "sandbox_agent_confined_t";
    struct plan_mount *m = sample_add(&s, MOUNT_VOLUME, "/srv/data", "/data", 0);
    m->dev = 1;
    m->ino = 2;
    (void)sample_add(&s, MOUNT_MASK, NULL, "/usr/bin/apt", 0);
    save_run("run-volume-artifact-code", &s);
    s.shape.mounts[0].source = "/root";
    save_run("run-bind-root", &s);
    s.shape.mounts[0].source = "/usr/../etc";
    save_run("run-dotdot", &s);
    s.shape.uid = 0;
    save_run("run-uid-0", &s);
    sample_done(&s);
}

int main(int argc, char **argv)
{
    struct outcome o = { .reason = REASON_COMPLETED, .has_exit = true, .duration_us = 12345, .features = 0x3ff };
    static const uint8_t lengths[] = { 0xff, 0xff, 0xff, 0x7f, 0, 0 };
    if (argc != 2)
        return 2;
    directory = argv[1];
    save_runs();
    save_outcome("outcome-completed", &o);
    o.reason = REASON_SANDBOX_ERROR;
    o.error_code = 1;
    o.error_step = "MOUNTS";
    o.error_text = "bind /usr at /usr: Operation not permitted";
    o.error_remedy = "see sandbox-agent doctor";
    (void)strlist_add(&o.missing, "apparmor: not enabled");
    (void)strlist_add(&o.missing, "cgroup: no");
    for (o.step_count = 0; o.step_count < OUTCOME_MAX_STEPS; o.step_count++)
        o.steps[o.step_count] = (struct step_time){ "STEP", o.step_count };
    save_outcome("outcome-error-steps", &o);
    strlist_done(&o.missing);
    save("empty-run", 'r', "", 0);
    save("empty-outcome", 'o', "", 0);
    save("run-cut", 'R', "\x28", 1);
    save("outcome-cut", 'O', "\x09", 1);
    for (unsigned at = 0; at < 24; at++) { /* an edit where lengths, counts and types stand */
        uint8_t edits[9];
        char name[32];
        for (unsigned i = 0; i < 3; i++) {
            unsigned place = 16 + at * 24 + i * 8;
            edits[3 * i] = (uint8_t)place;
            edits[3 * i + 1] = (uint8_t)(place >> 8);
            edits[3 * i + 2] = lengths[(at + i) % sizeof lengths];
        }
        (void)snprintf(name, sizeof name, "edit-%02u", at);
        save(name, at % 4 == 3 ? 'O' : 'R', edits, sizeof edits);
    }
    return 0;
}
