/* options.h - a request, typed: the fronts fill it (cli/options.c from words, daemon/request.c from JSON), load.h
 * judges it, policy.h lays it over the profile.
 *
 * What a front could not read as a value of its type never gets here. Errors name a field in the front's own words.
 */
#pragma once
#include "base/error.h"
#include "base/request_field.h"
#include "base/strlist.h"
#include "plan/request.h"

enum limit_kind { LIMIT_OF_TIMEOUT, LIMIT_OF_MEMORY, LIMIT_OF_CPU, LIMIT_KINDS };
struct limit_asked {
    bool is_set;
    uint64_t value; /* milliseconds, bytes, thousandths of a core */
};

/* A package set is being built (daemon/package_build.h): the level low with these changes. Borrowed. */
struct build_options {
    struct strlist hosts; /* all that can be reached: rules of network.allow */
    uint64_t max_bytes, timeout_ms;
};

struct options {
    const struct request_words *words; /* the front's names of fields; NULL: plain ones */
    const char *code, *agent_id, *profile, *output_file, *config, *stdin_file, *log_level, *signature, *record_events,
        *code_word /* of -c */, *workdir, *receipt, *output_dir;
    bool has_language, has_level, has_backend; /* asked for */
    enum language language;
    enum risk_level risk_level;
    enum config_backend backend;
    struct limit_asked limits[LIMIT_KINDS];
    bool strict_limits; /* a limit above the level's is refused, not lowered (where the level bounds them at all) */
    struct strlist env;
    uint32_t volume_count;
    struct request_volume volumes[REQUEST_MAX_VOLUMES]; /* host, inside and is_writable; borrowed, or in `owned` */
    char *owned[REQUEST_MAX_VOLUMES];                   /* by options_done() */
    const char *git_config;                             /* /etc/gitconfig of the sandbox; borrowed */
    struct strlist guards;                              /* of places in them: shape.guards (plan/plan.h) */
    struct strlist allow, deny;                         /* rules in place of network.allow, and beside network.deny */
    struct strlist command;                             /* behind `--` */
    struct strlist file_words; /* of --file: PATH[:INSIDE], read by cli/source.c into `files` */
    /* Not from files: NULL where there is a file (code, stdin_file). Borrowed. */
    const char *text, *input;
    size_t text_size, input_size;
    const char *judged; /* what is scanned, hashed and kept in place of the text; NULL: the text. Borrowed */
    size_t judged_size;
    const struct request_file *files;
    uint32_t file_count;
    enum session_role session; /* of the service's: what the run is to a session */
    /* Borrowed: standard input while it runs (the service's), or our side of a terminal that is all three (--tty, too).
     * What comes by them is scanned by none: the run earns no trust. */
    bool has_input_fd, has_terminal;
    int input_fd, terminal;
    struct wrap_options { /* of `wrap` (cli/wrap.h): as they were written */
        const char *project, *review, *srt_settings;
        struct strlist writable, read_only, hidden;
    } wrap;
    bool is_wrap;
    struct strlist missing;                 /* what the front could not have: for isolation.missing */
    const struct build_options *build;      /* of a package set; or NULL */
    const char *packages, *packages_owner;  /* a set's name; whose it has to be, or NULL: any's */
    const struct request_packages *mounted; /* of a job: what its session has; borrowed */
    bool no_network;                        /* less than the level gives: its own loopback alone */
    bool is_kernel;                         /* of a context: the text is the kernel's */
    bool is_cell;                           /* of a context: the text is what its kernel is to run */
    bool json, dry_run, debug, help, version, network_learn;
    bool direct; /* a launcher of its own, whatever this user's service lends (run/lend.h) */
};

void options_done(struct options *o);
/* «512m», «0.5», «90s» become a limit, by the rules of the profile's own key. */
int options_limit(struct options *o, enum limit_kind k, const char *text, struct error *err);
/* «python», «JS». */
int options_language(struct options *o, const char *word, struct error *err);

/* «low». */
int options_level(struct options *o, const char *word, struct error *err);

/* What a limit is called, by its field and by the key of a profile. */
enum request_field limit_field(enum limit_kind k);
const char *limit_key(enum limit_kind k);
/* Where the profile has it. */
uint64_t limit_of(const struct profile *p, enum limit_kind k);
void limit_set(struct profile *p, enum limit_kind k, uint64_t value);
/* For a person: «60 s», «128m», «0.25». */
struct limit_text {
    char text[32];
};
struct limit_text limit_text(enum limit_kind k, uint64_t value);
