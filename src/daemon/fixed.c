#include "daemon/fixed.h"

#include "base/buf.h"

static const char *const keys[] = {
    /* where it listens, and by which limits */
    "endpoints.api.enabled",
    "endpoints.api.host",
    "endpoints.api.port",
    "endpoints.api.base_path",
    "endpoints.api.socket",
    "endpoints.api.launcher",
    "endpoints.api.page",
    "endpoints.api.tls.certificate",
    "endpoints.api.tls.key",
    "endpoints.api.max_body",
    "endpoints.api.max_connections",
    "endpoints.api.request_timeout",
    "endpoints.api.idle_timeout",
    "endpoints.api.write_timeout",
    "endpoints.piston.enabled",
    "endpoints.piston.host",
    "endpoints.piston.port",
    "endpoints.piston.allow_remote",
    /* whom it lets in */
    "security.require_authentication",
    "endpoints.api.agixt_secret_file",
    "endpoints.api.allowed_hosts",
    "endpoints.api.allowed_origins",
    /* where records are, and how the audit is kept */
    "sandbox.paths.log_dir",
    "sandbox.paths.state_dir",
    "security.store_artifacts.path",
    "security.audit_sync",
    "security.audit_sign_every",
    "security.audit_max_size",
    "store.backend",
    "store.host",
    "store.port",
    "store.database",
    "store.user",
    "store.password_file",
    "store.ca_file",
    "store.certificate",
    "store.key",
    "store.node",
    "store.wait_for_disk",
    "fleet.address",
    "fleet.ca_file",
    "fleet.certificate",
    "fleet.key",
    "fleet.require_certificate",
    "fleet.share_queue",
    "fleet.max_clock_difference",
    "fleet.witnesses",
    "fleet.witness_interval",
    "content.place",
    "content.endpoint",
    "content.region",
    "content.addressing",
    "content.credentials_file",
    "content.ca_file",
    /* what it keeps ready */
    "warm.enabled",
    "warm.memory",
    "warm.idle",
};

void fixed_differences(const struct config *in_force, const struct config *now,
                       void (*tell)(void *context, const char *key, const char *in_force, const char *now),
                       void *context)
{
    for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
        const struct setting *s = setting_find(config_settings, keys[i]);
        struct buf before, after;
        assert(s); /* our own literals: a unit test calls this with defaults */
        buf_init(&before, 64 * KIB);
        buf_init(&after, 64 * KIB);
        setting_print(s, in_force, &before);
        setting_print(s, now, &after);
        if (before.size != after.size || memcmp(before.data, after.data, before.size) != 0)
            tell(context, keys[i], before.data, after.data);
        buf_done(&before);
        buf_done(&after);
    }
}
