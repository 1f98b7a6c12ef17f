/* A configuration from anybody: whatever loads can be checked, applied, packed and unpacked. */
#include "config/config.h"
#include "config/yaml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct config c, again = { 0 };
    struct profile p;
    struct error err = { 0 };
    struct buf packed;
    config_defaults(&c);
    profile_defaults(&p);
    buf_init(&packed, 4 * MIB);
    if (yaml_load("fuzz", (const char *)data, size, config_settings, &c, c.origin, ORIGIN_CONFIG, &err) == 0) {
        if (config_check(&c, &err) == 0 && config_apply(&c, &p, &err) == 0)
            (void)profile_check(&p, &err);
        settings_pack(config_settings, &c, &packed);
        assert(!packed.failed);
        struct unpack u = unpack_start(packed.data, packed.size);
        settings_unpack(config_settings, &again, &u);
        assert(unpack_end(&u) == 0);
    }
    buf_done(&packed);
    profile_done(&p);
    config_done(&c);
    return 0;
}
