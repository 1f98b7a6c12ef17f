#!/bin/bash
# a session of tool calls: look around, fix, test
set -x
ls -la
cat package.json | jq .scripts
grep -rn "TODO" src | head
sed -i 's/timeout: 1000/timeout: 5000/' src/client.ts
npx tsc --noEmit && npm test -- --runInBand
git diff --stat
