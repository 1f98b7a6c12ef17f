#!/bin/bash
# tests whether all replicas answer
for h in db1 db2 db3; do
  for p in 5432 6432; do timeout 2 bash -c "</dev/tcp/$h/$p" 2>/dev/null && echo "$h:$p ok" || echo "$h:$p DOWN"; done
done
