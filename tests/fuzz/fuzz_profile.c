/* A profile from anybody: whatever loads can be checked, printed, and loads back as itself. */
#include "config/profile.h"
#include "config/yaml.h"

static bool is_equal(const struct profile *a, const struct profile *b)
{
    struct buf pa, pb;
    buf_init(&pa, 4 * MIB);
    buf_init(&pb, 4 * MIB);
    settings_pack(profile_settings, a, &pa);
    settings_pack(profile_settings, b, &pb);
    bool equal = !pa.failed && pa.size == pb.size && memcmp(pa.data, pb.data, pa.size) == 0;
    buf_done(&pa);
    buf_done(&pb);
    return equal;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct profile p, again;
    struct error err = { 0 };
    struct buf text;
    profile_defaults(&p);
    profile_defaults(&again);
    buf_init(&text, 4 * MIB);
    if (yaml_load("fuzz", (const char *)data, size, profile_settings, &p, p.origin, ORIGIN_PROFILE, &err) == 0) {
        (void)profile_check(&p, &err);
        settings_print(profile_settings, &p, NULL, NULL, &text);
        assert(!text.failed);
        /* printed, escapes may make it larger than a file may be: only that may refuse it */
        int r = yaml_load("again", text.data, text.size, profile_settings, &again, again.origin, ORIGIN_PROFILE, &err);
        assert(r == 0 ? is_equal(&p, &again) : text.size > YAML_MAX_BYTES);
    }
    buf_done(&text);
    profile_done(&p);
    profile_done(&again);
    return 0;
}
