#!/bin/bash
set -euo pipefail
mkdir -p build
for src in src/*.c; do
  obj=build/$(basename "${src%.c}").o
  if [[ ! -e $obj || $src -nt $obj ]]; then gcc -O2 -Wall -c "$src" -o "$obj"; fi
done
gcc build/*.o -o build/app
rm -f build/*.d
