# class: filesystem
# what: reaches the host's canary through /proc/<pid>/root, /proc/<pid>/cwd and /proc/<pid>/task/*/root
# include: attack.sh
param canary /root/.bashrc
canary=$value
param victim_pid 1
found=
for root in /proc/self/root /proc/1/root /proc/$PPID/root "/proc/$value/root" /proc/[0-9]*/root /proc/1/task/*/root /proc/[0-9]*/cwd; do
    for up in "" /.. /../../../../../..; do
        { text=$(<"$root$up$canary") && [[ $text == *"host canary"* || $canary == /root/.bashrc ]] && found=$root$up; } 2<&0
        [[ $found ]] && escaped "read $canary through $found"
    done
done
contained "no root under /proc leads to $canary"
