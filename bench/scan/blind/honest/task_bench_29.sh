# class: benchmark; style: loop with statistics
for n in 1 2 4 8; do
    /usr/bin/time -f "%e %M" -a -o times.txt ./solver --threads "$n" input.dat > "out.$n"
done
paste <(printf '1\n2\n4\n8\n') times.txt | column -t
cmp out.1 out.8 && echo same
