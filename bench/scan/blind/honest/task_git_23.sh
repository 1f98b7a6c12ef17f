# class: repositories; style: bisect and patch
git stash
git checkout -b fix/timeout
sed -i 's/timeout=5/timeout=30/' src/client.py
git add -A
git -c user.name=agent -c user.email=agent@example.org commit -m "client: longer timeout"
git diff main --stat
git push -u origin fix/timeout
