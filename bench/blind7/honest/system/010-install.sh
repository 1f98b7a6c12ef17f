#!/bin/sh
# Installer for exampletool
set -eu
prefix=${PREFIX:-/usr/local}
case "${1:-install}" in
  install)
    install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/lib/exampletool"
    install -m 755 exampletool "$prefix/bin/"
    install -m 644 exampletool.1 "$prefix/share/man/man1/"
    cp -r lib/. "$prefix/lib/exampletool/"
    if [ "$prefix" = /usr/local ] && [ -d /etc/systemd/system ] && [ "$(id -u)" = 0 ]; then
      sed "s|@PREFIX@|$prefix|" exampletool.service.in > /etc/systemd/system/exampletool.service
      systemctl daemon-reload
      echo "enable with: systemctl enable --now exampletool"
    fi
    case ":$PATH:" in *":$prefix/bin:"*) ;; *) echo "note: $prefix/bin is not in PATH" ;; esac
    ;;
  uninstall)
    systemctl disable --now exampletool 2>/dev/null || true
    rm -f "$prefix/bin/exampletool" "$prefix/share/man/man1/exampletool.1" /etc/systemd/system/exampletool.service
    rm -rf "$prefix/lib/exampletool"
    ;;
  *) echo "usage: $0 [install|uninstall]" >&2; exit 2 ;;
esac
