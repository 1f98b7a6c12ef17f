#include "scan/secret.h"
#include "scan/path.h"

bool secret_place_in(const char *s, size_t n)
{
    char plain[2048], given[2048];
    if (n < sizeof given && memchr(s, '/', n)) {
        memcpy(given, s, n);
        given[n] = '\0';
        if (path_plain(given, plain, sizeof plain))
            s = plain, n = strlen(plain);
    }
    static const char *const places[] = { "/etc/passwd",
                                          "/etc/shadow",
                                          "/etc/gshadow",
                                          "/etc/sudoers",
                                          "/etc/krb5.keytab",
                                          "/etc/ssl/private",
                                          "/etc/kubernetes",
                                          "/environ",
                                          "/var/run/secrets",
                                          "/run/secrets",
                                          ".ssh",
                                          ".aws",
                                          ".npmrc",
                                          ".netrc",
                                          ".git-credentials",
                                          ".docker/config.json",
                                          ".kube/config",
                                          ".gnupg",
                                          ".pgpass",
                                          ".config/gcloud",
                                          ".config/gh",
                                          ".config/solana",
                                          ".config/rclone",
                                          ".pypirc",
                                          ".azure",
                                          ".mozilla",
                                          ".bitcoin",
                                          ".ethereum",
                                          ".my.cnf",
                                          ".vault-token",
                                          "id_rsa",
                                          "id_ed25519",
                                          "_history",
                                          "Login Data",
                                          "Cookies",
                                          "Local Storage",
                                          "wallet",
                                          "logins.json",
                                          "key3.db",
                                          "key4.db",
                                          "keychain",
                                          "Exodus" };
    for (size_t i = 0; i < n; i++) {
        if (!memchr("/.i_LCwlkE", s[i], 10))
            continue;
        for (size_t p = 0; p < ARRAY_LEN(places); p++) {
            if (places[p][0] != s[i])
                continue;
            size_t len = strlen(places[p]);
            if (len <= n - i && memcmp(s + i, places[p], len) == 0)
                return true;
        }
    }
    return n >= 4 && memcmp(s + n - 4, ".env", 4) == 0;
}
