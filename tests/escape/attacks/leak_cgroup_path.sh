# class: leaks
# what: reads the place of its control group on the host, or any control group file
# include: attack.sh
for file in /proc/self/cgroup /proc/1/cgroup /proc/thread-self/cgroup; do
    [[ -r $file ]] || continue
    while IFS=: read -r number name path; do
        [[ $path != / ]] && escaped "$file tells $number:$name:$path"
    done <"$file"
done 2<&0
for file in /sys/fs/cgroup/* /sys/fs/cgroup/*/*; do
    [[ -e $file ]] && escaped "sees $file"
done
contained "no control group path to be seen"
