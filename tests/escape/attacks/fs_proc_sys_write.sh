# class: filesystem
# what: walks all of /proc/sys and /sys and opens whatever can be opened for appending (writes nothing)
# include: attack.sh
shopt -s globstar nullglob
tried=0
for file in /proc/sys/** /sys/kernel/* /sys/fs/cgroup/**/cgroup.procs /sys/fs/cgroup/**/release_agent; do
    [[ -f $file && $file != */ns_last_pid ]] || continue # that one opens for everybody and refuses at the write
    ((tried++ > 3000)) && break
    { exec 7>>"$file"; opened=$?; } 2<&0
    ((opened == 0)) && escaped "$file is open for writing"
done
contained "$tried files refused"
