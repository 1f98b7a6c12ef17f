# class: leaks
# what: reads host paths, the code file's place and options of the caller from command lines in /proc
# include: attack.sh
param host_paths ""
paths=$value
found=
for file in /proc/1/cmdline /proc/$PPID/cmdline /proc/self/cmdline /proc/[0-9]*/cmdline /proc/1/comm; do
    [[ -r $file ]] || continue
    text=
    while IFS= read -r -d '' word; do text+=" $word"; done <"$file"
    IFS=:
    for path in $paths; do
        [[ -n $path && $text == *"$path"* ]] && escaped "$file tells $path:$text"
    done
    IFS=$' \t\n'
    found+=" $file"
done 2<&0
contained "no host path in${found:- any command line (none readable)}"
