#!/bin/bash
set -e
good=${1:?good revision}
t=$(mktemp)
cat > "$t" <<'EOF'
#!/bin/sh
make -s -j2 || exit 125
./run_tests --only regression_42
EOF
chmod +x "$t"
git bisect start HEAD "$good"
git bisect run "$t"
git bisect log > bisect.log
git bisect reset
rm -f "$t"
