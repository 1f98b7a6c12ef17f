/* private.h - inside src/sqlite: the connection, and what is SQLite's alone. */
#pragma once
#include <sqlite3.h>
#include "sql/sql.h"
#include "sqlite/sqlite.h"

#define STORE_MAX_STATEMENTS 128u

struct sqlite {
    struct sql sql;
    sqlite3 *db;
    char *path;
    int service_lock; /* sqlite_set_service(): held while the store is open; -1: this is no service */
    uint64_t busy_since_ms;
    uint32_t busy_seed;
    uint32_t statement_count;
    struct {
        const char *sql;
        sqlite3_stmt *stmt;
    } statements[STORE_MAX_STATEMENTS];
};

static inline struct sqlite *sqlite_of(const struct store *s)
{
    return (struct sqlite *)s->self;
}
/* --- upkeep.c: the service's --- */
int sqlite_checkpoint(const void *self, uint64_t *ret_pages, struct error *err);
int sqlite_set_service(void *self, struct error *err);
int sqlite_checkpoint_rest(void *self, struct error *err);
int sqlite_version(void *self, uint64_t *ret, struct error *err);

/* --- sqlite.c --- */

/* What rc means to a person, with the remedy. */
int sqlite_fail(struct sqlite *s, int rc, const char *doing, struct error *err);

/* --- wal_file.c --- */
const char *wal_file_vfs(void); /* for sqlite3_open_v2() */

/* --- directory.c: the file's place --- */
int place_prepare(const char *path, struct error *err);
/* --- schema.c --- */
int schema_ready(struct sqlite *s, struct error *err);
