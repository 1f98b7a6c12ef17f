/* compiled.h - the compiled policy: configuration, profile, filter and guards in one blob.
 *
 * sandbox-agent has no YAML library and no time to check 250 keys. `sandbox-policy compile` does that
 * once and writes a blob; the blob remembers every source byte for byte (also which files were
 * *absent*), so a hit needs no clock, no inotify and no trust in time stamps: a changed source is a
 * miss, always. Any doubt is a miss: the price of a miss is milliseconds, of a wrong hit a
 * sandbox with yesterday's rules.
 *
 * Who may write the blob decides the policy: file and directory must belong to the caller or to
 * root and be writable by no other user, as with the configuration itself.
 */
#pragma once
#include "config/config.h"

/* What was asked for: two runs with equal keys may share a blob. NULL members are part of the key. */
struct compiled_key {
    const char *level;         /* low, medium or high; NULL: the configuration's default_risk_level */
    const char *profile_path;  /* --profile, or NULL */
    const char *config_path;   /* --config, or NULL */
    const char *system_config; /* /etc/sandbox-agent/config.yaml; NULL: not looked at */
    const char *user_config;   /* may be NULL */
    const char *data_dir;      /* installed share directory: holds profiles/ and guards/ */
};

/* A file the blob was made from. A candidate that did not exist is a source too: it may appear. */
struct compiled_source {
    const char *path;
    bool is_present;
    struct bytes content;
};
#define COMPILED_SOURCES_MAX 12u

/* A part of the blob that has not been compared with its checksum yet: its first use compares it (compiled_container).
 */
struct compiled_part {
    struct bytes bytes;
    uint64_t sum;
};

struct compiled {
    struct config config;        /* borrows all strings from the blob */
    struct profile profile;      /* likewise; options may be laid over it with setting_parse() */
    struct bytes filter;         /* struct sock_filter[], aligned for it */
    struct bytes filter_asking;  /* the same, but what profile_watch() names asks the supervisor first */
    struct bytes filter_volumes; /* the same with NOTIFY_VOLUMES, for runs that have some */
    const char *filter_summary;
    struct bytes guard[LANG_COUNT]; /* finished file, text or bytecode; size 0: nothing to guard in that language */
    struct compiled_part container_filter, container_watched, container_guard[LANG_COUNT]; /* compiled_container() */
    struct compiled_part park[LANG_COUNT];                                                 /* compiled_park() */
    const char *profile_file;                   /* where the profile came from */
    const char *config_file[CONFIG_FILE_COUNT]; /* paths, NULL where none was looked at (for struct origin.file) */
    void *blob;                                 /* what everything above borrows from */
    size_t blob_size;
    bool is_mapped; /* blob was mapped by us; otherwise malloc'ed by us, or (NULL) the caller's */
};

/* What a run of the same policy takes along into a container of an engine. */
struct compiled_container {
    /* The filter for SecurityOpt or a file of Podman's (filter_write_oci): the profile's, without watch. With network
     * mode bridge it permits AF_INET as it is, since the container has an interface of its own and no broker; otherwise
     * the families are those of a native run. "": the profile's filter cannot be said so; refuse the run. */
    const char *seccomp_json;
    /* The same without what filter_asking or filter_volumes judges, for a container whose payload has loaded one of
     * them. "": not to be had, or too much for an engine's words. */
    const char *watched_json;
    struct bytes guard; /* text, never bytecode: which python3 reads it is the image's; size 0: nothing to guard */
};

/* A guard: the finished file, and the source that it was made from, which is compared like the other sources. */
struct compiled_guard {
    const char *path;
    struct bytes source, content; /* content of size 0: this language has none */
    struct bytes container;       /* the same for a container; size 0 where content is */
    const char *stamp;            /* compiled_python_stamp() when it was made; NULL: does not depend on it */
    struct bytes park; /* text for an interpreter that is started early where content is none; size 0: none */
};

/* A policy about to be written. Borrows everything. */
struct compiled_parts {
    const struct config *config;
    const struct profile *profile;
    struct bytes filter, filter_asking, filter_volumes;
    const char *filter_summary;
    const char *seccomp_json, *watched_json; /* see struct compiled_container; NULL is "" */
    struct compiled_guard guard[LANG_COUNT];
    const char *profile_file;
    const char *config_file[CONFIG_FILE_COUNT];
    const struct compiled_source *sources; /* without the guards' */
    uint32_t source_count;
};

#define COMPILED_MAX_BYTES (4u * 1024u * 1024u)

/* 1: hit, *ret is filled (release with compiled_done). 0: miss, *ret is zeroed.
 * One mapping, and open, fstat, read, close for each source: 60 us (three guards; measured with musl). */
int compiled_lookup(const char *cache_dir, const struct compiled_key *key, struct compiled *ret);
/* The same for a run of one language: only its guard is compared with its source and given back (the guards
 * are most of the bytes); guard[] of every other language is empty and means nothing. 20 us, first thing in a
 * process 65, and 6 (bash) to 20 (python, whose interpreter is looked at) more where that language is guarded. */
int compiled_lookup_for(const char *cache_dir, const struct compiled_key *key, enum language lang,
                        struct compiled *ret);
void compiled_done(struct compiled *c);
/* What a container of that language needs; borrows from the blob. It lies apart there, so that native runs do not read
 * it (60 to 100 KB). After compiled_lookup_for() of that language or after any other way to a policy. 0, or -EBADMSG:
 * damaged. 11 us. */
int compiled_container(const struct compiled *c, enum language lang, struct compiled_container *ret);
/* What an interpreter of that language runs that is started before its work is known: the guard, or where there is none
 * a text that refuses nothing. Borrows from the blob; size 0: the language has none. 0, or -EBADMSG. */
int compiled_park(const struct compiled *c, enum language lang, struct bytes *ret);
/* Gives the memory back until something of it is read again: while a program runs, its policy is hardly looked at. */
void compiled_rest(const struct compiled *c);

/* Bytes that someone else keeps alive: 0, or -EBADMSG (damaged, or of another build). */
int compiled_unpack(const void *data, size_t size, struct compiled *ret);
/* Reads what `sandbox-policy compile --out-fd` wrote, to its end: a policy (0), or the error it found. */
int compiled_receive(int fd, struct compiled *ret, struct error *err);

/* Makes the blob. -EMSGSIZE beyond COMPILED_MAX_BYTES, -ENOMEM. */
int compiled_pack(const struct compiled_key *key, const struct compiled_parts *parts, struct buf *out);
/* Makes what compiled_receive() reads as an error. */
void compiled_pack_error(const struct error *err, struct buf *out);
/* Stores the blob, creating the last component of cache_dir if needed. A negative return is worth a
 * debug line, no more: the run has its policy. */
int compiled_write(const char *cache_dir, const struct compiled_key *key, struct bytes blob);
/* Whether compiled_write() could store something now: without a store, work that only pays off later is not done. */
bool compiled_can_write(const char *cache_dir);
/* The blob's file name for this key: 16 hex digits and «.policy». */
void compiled_file_name(const struct compiled_key *key, char out[static 32]);

/* Where a guard finds the pipe for its reports (run/reports.h). Below 16: node makes these close-on-exec whatever they
 * are (uv_disable_stdio_inheritance); above 10, which no script uses by number. */
#define GUARD_REPORT_FD 15

/* What changes when python3 does, since bytecode suits one version only: where the name leads, size and time of that
 * file. Empty: there is none, or none that a sandbox would use (see lang_find_program). 4 us. */
#define COMPILED_PYTHON    "/usr/bin/python3"
#define COMPILED_STAMP_MAX 4200
void compiled_python_stamp(char out[static COMPILED_STAMP_MAX]);

/* What the header holds; here for the tests that damage a blob behind its back. */
uint64_t compiled_checksum(const void *data, size_t size);

/* «default», «/etc/sandbox-agent/config.yaml:12», «option»: for --dry-run and `profiles show`. */
void compiled_origin(const struct compiled *c, struct origin o, struct buf *out);
