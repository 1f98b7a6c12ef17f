#!/bin/sh
set -eu
out=${TEXTFILE_DIR:-/var/lib/node_exporter/textfile}/pi.prom
tmp=$(mktemp "$out.XXXX")
{
  echo '# TYPE pi_temperature_celsius gauge'
  for z in /sys/class/thermal/thermal_zone*; do
    awk -v n="$(cat "$z/type")" '{printf "pi_temperature_celsius{zone=\"%s\"} %.1f\n", n, $1/1000}' "$z/temp"
  done
  if command -v vcgencmd >/dev/null; then
    echo "pi_throttled $(printf '%d' "$(vcgencmd get_throttled | cut -d= -f2)")"
  fi
  echo "pi_updates_pending $(apt list --upgradable 2>/dev/null | grep -c upgradable || true)"
} > "$tmp"
chmod 644 "$tmp"
mv "$tmp" "$out"
