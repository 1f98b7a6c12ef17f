/* doctor.h - the parts of `sandbox-agent doctor` among themselves.
 *
 * A probe is one row of the table in doctor.c: it looks at one thing and fills one struct check.
 * Probes that change the process they run in (namespaces, mounts, cgroups), and everything that
 * could take its time, run in children with a deadline (doctor_child.c). Nothing here changes the
 * machine, and nothing is left behind.
 *
 * Files are looked up beneath `root`, which is "" except with --root; what is *tried* is always
 * tried on this machine.
 */
#pragma once
#include "base/feature.h"
#include "config/config.h"
#include "tool/tool.h"

#include <jansson.h>
#include <signal.h>
#include <sys/types.h>

enum check_status { CHECK_OK, CHECK_INFO, CHECK_WARN, CHECK_FAIL, CHECK_STATUS_COUNT };

struct doctor;
struct check;

struct probe {
    const char *group, *name;
    void (*run)(struct doctor *d, struct check *c);
    int arg; /* a risk level, a language ...: for functions that serve several rows */
};

struct check {
    const struct probe *probe; /* borrows */
    enum check_status status;
    struct buf summary, detail, remedy;
    json_t *facts; /* owns; the probe's own keys in the JSON object */
};

/* What may stand in the way of namespaces and mounts. -1: this kernel has no such switch. */
struct restrictions {
    int64_t max_user_namespaces, userns_clone, apparmor_userns, seccomp_filters;
    bool is_container, is_confined;
    char confinement[128]; /* our AppArmor or SELinux label, "" if none */
};

/* What configuration and profiles say, and the most that any level asks for. */
struct wishes {
    struct error err;     /* why a run would not even begin; code 0: nothing wrong */
    json_t *config_files; /* owns; those that exist */
    char *log_dir;        /* owns; sandbox.paths.log_dir, or NULL: not given, or the standard one */
    char *state_dir;      /* likewise */
    struct {              /* what is kept of each: for how many days, and how many bytes; 0: no bound */
        uint64_t days, max_bytes;
    } kept_logs, kept_artifacts, kept_caches;
    char *absent_profiles; /* owns; sandbox.paths.profiles_dir, if there is no such directory */
    char *artifacts;       /* owns; security.store_artifacts.path, or NULL */
    int profile_count;     /* levels whose profile could be read; 0: the numbers are 0 too */
    uint64_t nproc, nofile, fsize_bytes, cpu_s;
    enum config_backend backend;
    char *socket, *runtime; /* own; docker.daemon.*; socket NULL: no configuration could be read */
    uint32_t accept_missing, require[RISK_COUNT];    /* bit per enum feature */
    bool has_bridge[RISK_COUNT], has_engine_network; /* network.mode; docker.container.network other than none */
};

struct doctor {
    const struct tool *tool;
    const char *root;
    const char *config; /* of --config, or NULL */
    bool is_root;
    struct restrictions restrictions;
    struct wishes wishes;
    json_t *engine_info;        /* owns; what the container engine says of itself, NULL: nothing */
    const struct check *checks; /* borrows: the checks made so far */
    size_t check_count;
    char *work_dir; /* owns; for the level runs, NULL until they need it */
    pid_t janitor;  /* makes work_dir, and removes it when janitor_fd says so or ends */
    int janitor_fd;
    int signals;    /* signalfd: SIGCHLD and what a user sends to stop us */
    int stopped_by; /* that signal, or 0 */
    sigset_t old_mask;
    struct sigaction old_child_action;
};

/* ---- filling a check (doctor_check.c) ---- */

void check_init(struct check *c, const struct probe *p);
void check_done(struct check *c);
/* Sets status and summary. */
void check_say(struct check *c, enum check_status s, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A further thing that is wrong: the status never gets better, the detail grows by «; text». */
void check_add(struct check *c, enum check_status s, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* The command that helps. The first one stays: the nearest cause is found first. */
void check_remedy(struct check *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
void fact_text(struct check *c, const char *key, const char *value); /* NULL: null */
void fact_number(struct check *c, const char *key, int64_t value);
void fact_bool(struct check *c, const char *key, bool value);
void fact_take(struct check *c, const char *key, json_t *value); /* takes value */
/* What a machine said may hold anything: control characters and broken UTF-8 become «?». In place. */
char *text_clean(char *s);
json_t *text_json(const char *s); /* a cleaned string, NULL: null; new reference */

/* ---- looking (doctor_read.c) ---- */

#define DOCTOR_FILE_MAX (512u * 1024u)

/* d->root + path. The result is -ENAMETOOLONG or 0. */
int doctor_path(const struct doctor *d, char out[static 4096], const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Appends a small file to out, without its last newline. */
int doctor_read(const struct doctor *d, struct buf *out, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* A file that holds one number (a sysctl): its value, or `otherwise`. */
int64_t doctor_number(const struct doctor *d, const char *path, int64_t otherwise);
bool doctor_has(const struct doctor *d, const char *path);
/* «Key:\tvalue» in text, as in /proc/self/status, or «KEY=value» as in os-release (quotes are taken
 * off). Copies at most size-1 bytes; false and "" when there is no such line. */
bool text_field(const char *text, const char *key, char separator, char *ret, size_t size);
bool word_in(const char *words, const char *separators, const char *word);

struct mount_line { /* one line of mountinfo; borrows from it, escapes resolved */
    const char *root, *target, *type, *source, *options;
};
/* Cuts the next line off *cursor (which it writes into). False at the end. */
bool mount_next(char **cursor, struct mount_line *ret);

/* ---- children (doctor_child.c) ---- */

enum child_end {
    CHILD_DONE,
    CHILD_DIED,    /* by a signal that the doctor did not send */
    CHILD_LATE,    /* the deadline came; it is dead */
    CHILD_STOPPED, /* the user wants us to end; it is dead */
};

int doctor_start(struct doctor *d); /* signals */
void doctor_finish(struct doctor *d);

/* Memory that a child's answers survive in. NULL: none to be had. */
void *shared_new(size_t size);
void shared_free(void *p, size_t size);
/* fn(shared) in a forked child. With `dies_with_us` a kill -9 of doctor ends it at once; without, it
 * lives on for the moment that tidying up takes. enum child_end, or a negative errno. */
int child_try(struct doctor *d, void (*fn)(void *shared), void *shared, bool dies_with_us);

struct program {
    const char *const *argv; /* argv[0]: an absolute path */
    char *const *env;
    const char *input;        /* stdin, or NULL: /dev/null */
    int timeout_ms, grace_ms; /* grace: between SIGTERM and SIGKILL when late */
};
struct program_end {
    int exit_code, signal; /* -1 and 0: not so */
    struct buf out, err;
};
/* enum child_end or a negative errno; ret is initialised in any case (release: program_end_done). */
int child_program(struct doctor *d, const struct program *p, struct program_end *ret);
void program_end_done(struct program_end *e);

/* ---- the trial runs' directory (doctor_work.c) ---- */

/* 0: d->work_dir exists, with config.yaml and log/ in it; also when it did before. */
int work_dir_make(struct doctor *d);
void work_dir_remove(struct doctor *d);

/* ---- shared findings ---- */

const char *container_kind(const struct doctor *d); /* doctor_host.c; NULL: none that shows */
void restrictions_read(struct doctor *d);           /* doctor_namespace.c */
void wishes_read(struct doctor *d);                 /* doctor_config.c */
void wishes_done(struct wishes *w);
/* Says in detail and remedy what most likely refuses namespaces or mounts. */
void restrictions_explain(const struct doctor *d, struct check *c, int error);
/* Where a file of our AppArmor profiles is: /etc/apparmor.d, or with our data. False: nowhere. */
bool apparmor_dir_find(const struct doctor *d, const char *file, char ret[static 4096]);
/* «python3», «bash» ...: where the sandbox would take it from, or false. */
bool language_find(const struct doctor *d, const char *program, char ret_path[static 4096]);

/* ---- the probes ---- */

void probe_host(struct doctor *d, struct check *c); /* doctor_host.c */
void probe_environment(struct doctor *d, struct check *c);
void probe_caller(struct doctor *d, struct check *c);
void probe_rlimits(struct doctor *d, struct check *c);
void probe_hardening(struct doctor *d, struct check *c);
void probe_devices(struct doctor *d, struct check *c);
void probe_userns(struct doctor *d, struct check *c); /* doctor_namespace.c */
void probe_namespaces(struct doctor *d, struct check *c);
void probe_private_root(struct doctor *d, struct check *c);
void probe_proc(struct doctor *d, struct check *c);
void probe_cgroup(struct doctor *d, struct check *c); /* doctor_cgroup.c, doctor_limits.c */
void probe_cgroup_limits(struct doctor *d, struct check *c);
void probe_psi(struct doctor *d, struct check *c);
void probe_syscalls(struct doctor *d, struct check *c); /* doctor_filter.c */
void probe_seccomp(struct doctor *d, struct check *c);
void probe_landlock(struct doctor *d, struct check *c);
void probe_apparmor(struct doctor *d, struct check *c);
void probe_selinux(struct doctor *d, struct check *c);
void probe_engine(struct doctor *d, struct check *c); /* doctor_engine.c */
void probe_containers(struct doctor *d, struct check *c);
void probe_language(struct doctor *d, struct check *c); /* doctor_language.c; arg: index there */
void probe_scanner(struct doctor *d, struct check *c);
void probe_python_packages(struct doctor *d, struct check *c);
void probe_configuration(struct doctor *d, struct check *c); /* doctor_config.c */
void probe_directory(struct doctor *d, struct check *c);     /* doctor_files.c; arg: index there */
void probe_retention(struct doctor *d, struct check *c);
void probe_level(struct doctor *d, struct check *c); /* doctor_level.c; arg: enum risk_level */

/* ---- telling (doctor_report.c) ---- */

void report_text(const struct check *checks, size_t count, bool is_ok, struct buf *out);
int report_json(const struct check *checks, size_t count, bool is_ok, struct buf *out);
