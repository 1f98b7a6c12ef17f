# class: looking around in a repository; style: agent tool calls
ls -la
git log --oneline | head -20
grep -rn "TODO\|FIXME" --include='*.py' src | head -50
find . -name '*.py' -not -path './.venv/*' | xargs wc -l | tail -1
sed -n '1,80p' src/app/server.py
