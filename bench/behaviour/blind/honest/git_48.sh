# class: repository; possible: low; style: init, commits, log
cd /workspace && git init -q repo && cd repo || exit 0
git config user.email a@example.org && git config user.name a
for i in 1 2 3 4 5 6 7 8; do
    echo $i > f$i && git add . && git commit -qm "change $i"
done
git log --oneline | cat
git gc -q
