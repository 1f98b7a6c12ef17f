#!/bin/sh
set -e
if [ "$1" = configure ]; then
  update-alternatives --install /usr/bin/editor editor /usr/bin/tinyed 35 \
    --slave /usr/share/man/man1/editor.1.gz editor.1.gz /usr/share/man/man1/tinyed.1.gz
  for ft in vi view; do
    update-alternatives --install /usr/bin/$ft $ft /usr/bin/tinyed 15
  done
fi
if command -v update-desktop-database >/dev/null; then
  update-desktop-database -q || true
fi
