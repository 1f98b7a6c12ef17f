# class: resources
# what: the shell's fork bomb, seven generations deep (255 processes at most)
# reason: pids_limit timeout killed error
# timeout: 4
# outside: no_process_left
# include: attack.sh
param limit_pids 100
limit=$value
file=
for d in /tmp /workspace /dev/shm; do
    { : >"$d/escape-$$-bomb" && file=$d/escape-$$-bomb && break; } 2<&0
done
[[ $file ]] || contained "no place to count"
bomb() {
    printf . >>"$file"
    if (($1 > 0)); then
        bomb $(($1 - 1)) &
        bomb $(($1 - 1)) &
    fi
    local until=$((SECONDS + 3))
    while ((SECONDS < until)); do wait -n 2<&0 || read -r -t 0.2 -n 1 <"$file" || :; done
}
bomb 7 2<&0
count=$(<"$file")
{ : >"$file"; } 2<&0
((${#count} > limit)) && escaped "${#count} processes, the limit is $limit"
contained "${#count} processes"
