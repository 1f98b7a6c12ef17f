#!/bin/sh
set -e
CONF=/etc/locale.gen
[ -f "$CONF" ] && [ -s "$CONF" ] || exit 0
umask 022
echo "Generating locales (this might take a while)..."
while read -r locale charset; do
  case $locale in \#*|"") continue ;; esac
  lang=${locale%%.*}
  [ -f "/usr/share/i18n/locales/${lang%%@*}" ] || { echo "unknown: $locale" >&2; continue; }
  printf '  %s...' "$locale"
  localedef -i "$lang" -c -f "$charset" -A /usr/share/locale/locale.alias "$locale"
  echo ' done'
done < "$CONF"
