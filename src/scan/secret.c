#include "scan/secret.h"
#include "scan/path.h"

bool secret_word_in(const char *s, size_t n, const char *words)
{
    for (size_t size; *words; words += size + (words[size] != '\0')) {
        size = strcspn(words, "|");
        if (memmem(s, n, words, size))
            return true;
    }
    return false;
}

bool secret_place_in(const char *s, size_t n)
{
    static const char places[] =
        "/etc/passwd|/etc/shadow|/etc/gshadow|/etc/sudoers|/etc/krb5.keytab|/etc/ssl/private|"
        "/etc/kubernetes|/environ|/var/run/secrets|/run/secrets|.ssh|.aws|.npmrc|.netrc|"
        ".git-credentials|.docker/config.json|.kube/config|.gnupg|.pgpass|.config/gcloud|"
        ".config/gh|.config/solana|.config/rclone|.pypirc|.azure|.mozilla|.bitcoin|.ethereum|"
        ".my.cnf|.vault-token|id_rsa|id_ed25519|_history|Login Data|Cookies|Local Storage|wallet|"
        "logins.json|key3.db|key4.db|keychain|Exodus|id_ecdsa|cookies.sqlite|.electrum|"
        ".metamask|.password-store|KeePass|Local State|credentials.json";
    char plain[2048], given[2048];
    if (n < sizeof given && memchr(s, '/', n)) {
        memcpy(given, s, n);
        given[n] = '\0';
        if (path_plain(given, plain, sizeof plain))
            s = plain, n = strlen(plain);
    }
    return secret_word_in(s, n, places) || (n >= 4 && memcmp(s + n - 4, ".env", 4) == 0);
}
