# class: git; style: terse
git stash -u
git bisect start HEAD v2.3.0
git bisect run sh -c 'make -s && ./run_tests --only parser'
git bisect log > /tmp/bisect.log
git bisect reset && git stash pop
