#!/bin/sh
[ -x /usr/bin/apt-config ] || exit 0
eval $(apt-config shell CacheDir Dir::Cache/d Interval APT::Periodic::AutocleanInterval)
[ "${Interval:-0}" -gt 0 ] || exit 0
if command -v on_ac_power >/dev/null && ! on_ac_power; then
  exit 0
fi
apt-get -qq autoclean
find "${CacheDir:-/var/cache/apt}/archives" -name '*.deb' -mtime +30 -delete
