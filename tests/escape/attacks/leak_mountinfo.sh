# class: leaks
# what: reads host paths (the caller's directory, home, code file, state) from mountinfo, mounts and mountstats
# include: attack.sh
param host_paths ""
paths=$value
param volume_source "/no/such/volume" # the one path that the caller gave away: a mount must name it
volume=$value
seen=0
for file in /proc/self/mountinfo /proc/self/mounts /proc/self/mountstats /proc/1/mountinfo /etc/mtab /proc/mounts; do
    [[ -r $file ]] || continue
    while IFS= read -r line; do
        ((seen++))
        line=${line//"$volume"/}
        IFS=:
        for path in $paths; do
            [[ -n $path && $line == *"$path"* ]] && escaped "$file tells $path: $line"
        done
        IFS=$' \t\n'
        [[ $line == *"/old"*root* || $line == *" /sandbox-agent"* ]] && escaped "$file tells: $line"
    done <"$file"
done 2<&0
contained "no host path in $seen lines"
