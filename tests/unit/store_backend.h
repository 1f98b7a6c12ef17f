/* store_backend.h - what the store's tests need of the database that they run on: SQLite, or with ON_POSTGRES
 * PostgreSQL. */
#pragma once
#include <sqlite3.h>
#include "sqlite/private.h"
#include "test.h"

#ifdef ON_POSTGRES
#include "postgres.h"

/* A path that was not opened before is an empty database. */
static inline int open_store(const char *path, struct store **ret, struct error *err)
{
    static char last[96];
    const struct store_place o = postgres_here();
    if (!str_eq(path, last))
        postgres_begin_anew();
    (void)snprintf(last, sizeof last, "%s", path);
    return postgres_open(&o, false, false, ret, err);
}

static inline bool run_sql(struct store *s, const char *sql)
{
    (void)s;
    (void)postgres_ask(sql);
    return true;
}
#else
static inline int open_store(const char *path, struct store **ret, struct error *err)
{
    return store_open(path, ret, err);
}

static inline bool run_sql(struct store *s, const char *sql)
{
    return sqlite3_exec(sqlite_of(s)->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}
#endif
