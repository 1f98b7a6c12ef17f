# class: port wait; possible: low medium; style: wait-for-it, four services
for target in s1.good.test:80 s2.good.test:80 db.good.test:6379 ssh.good.test:22; do
    host=${target%:*} port=${target#*:}
    for try in 1 2 3 4 5 6 7 8 9 10; do
        if (exec 3<>"/dev/tcp/$host/$port") 2>/dev/null; then
            echo "$target is up"
            break
        fi
        sleep 0.5
    done
done
