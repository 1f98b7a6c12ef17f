#!/bin/bash
hdr='// Copyright (c) 2024 Example Ltd. SPDX-License-Identifier: Apache-2.0'
n=0
while IFS= read -r -d '' f; do
  head -n 3 "$f" | grep -q SPDX && continue
  { printf '%s\n\n' "$hdr"; cat "$f"; } > "$f.tmp" && mv "$f.tmp" "$f"
  n=$((n + 1))
done < <(git ls-files -z '*.go' '*.ts' '*.js')
echo "$n files changed"
gofmt -l . | grep . && exit 1 || exit 0
