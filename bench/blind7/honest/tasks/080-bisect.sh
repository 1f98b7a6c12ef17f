#!/bin/bash
set -e
good=${1:?good commit}
bad=${2:-HEAD}
probe=$(mktemp)
cat > "$probe" <<'EOF'
#!/bin/sh
npm ci --silent >/dev/null 2>&1 || exit 125
npm run -s build >/dev/null 2>&1 || exit 125
node -e '
  const { parse } = require("./dist");
  process.exit(parse("a,b\n1,2").length === 2 ? 0 : 1);
'
EOF
chmod +x "$probe"
git bisect start "$bad" "$good"
git bisect run "$probe"
git bisect log > bisect.log
git bisect reset
rm -f "$probe"
