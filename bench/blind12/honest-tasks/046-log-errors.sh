#!/bin/bash
f=${1:-app.log}
grep -E ' (ERROR|FATAL) ' "$f" |
  cut -c1-13 |
  sort | uniq -c | sort -rn | head -20
