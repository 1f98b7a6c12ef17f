# class: version control; possible: low medium
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b HOME=/tmp
cd "$(mktemp -d)" && git init -q . && for i in $(seq 1 15); do echo $i >> a; git add a; git commit -qm "c$i"; done
git clone -q . ../clone$$ && git -C ../clone$$ log --oneline | wc -l && git gc -q && rm -rf ../clone$$
