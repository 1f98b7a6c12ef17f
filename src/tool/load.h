/* load.h - from file names to a checked configuration and profile, remembering what was read.
 *
 * Every file that was looked for becomes a source, absent ones too: the policy cache compares them
 * later. Errors say file and line.
 */
#pragma once
#include "config/compiled.h"

struct loaded {
    struct config config;   /* owns its strings */
    struct profile profile; /* likewise */
    char *profile_file;
    const char *config_file[CONFIG_FILE_COUNT]; /* as errors name them; borrows the caller's */
    const char *option_name;                    /* what errors call the one of --config, instead of its path; or NULL */
    struct compiled_source sources[COMPILED_SOURCES_MAX]; /* owns path and content */
    uint32_t source_count;
};

/* Defaults in everything; release with loaded_done() whatever happens next. */
void loaded_init(struct loaded *l);
void loaded_done(struct loaded *l);

/* Reads and checks the files in their order; NULL: none. The one of --config has to exist. */
int load_config(struct loaded *l, const char *const files[CONFIG_FILE_COUNT], struct error *err);
/* After load_config(): the profile of a level (NULL: the configuration's default) or, if file is given,
 * that one; the configuration laid over it, and the whole checked. */
int load_profile(struct loaded *l, const char *data_dir, const char *level, const char *file, struct error *err);

#define SYSTEM_CONFIG "/etc/sandbox-agent/config.yaml"
/* $XDG_CONFIG_HOME/sandbox-agent/config.yaml or below $HOME; "" when neither is set. */
void find_user_config(char *out, size_t size);

/* A file's bytes: 0 (present or absent), or why it cannot be read or is too large. */
int source_read(const char *path, size_t max_bytes, struct compiled_source *ret, struct error *err);
void source_done(struct compiled_source *s);
/* The same, remembered in l->sources; *ret borrows. */
int load_source(struct loaded *l, const char *path, size_t max_bytes, const struct compiled_source **ret,
                struct error *err);
