hooks=(setup compile verify); setup() { mkdir -p out; }; compile() { echo cc; }; verify() { test -d out; }
for h in "${hooks[@]}"; do echo "== $h"; "$h" || exit; done
