# class: resources
# what: the shell's fork bomb, seven generations deep (255 processes at most)
# reason: pids_limit timeout killed error
# timeout: 3
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
    trap 'printf - >>"$file"' EXIT # a shell that cannot fork ends, and makes room for another
    printf + >>"$file"
    if (($1 > 0)); then
        bomb $(($1 - 1)) &
        bomb $(($1 - 1)) &
    fi
    local until=$((SECONDS + 2))
    while ((SECONDS < until)); do wait -n 2<&0 || read -r -t 0.2 -n 1 <"$file" || :; done
}
(bomb 7) 2<&0
text=$(<"$file")
{ : >"$file"; } 2<&0
now=0 most=0
for ((i = 0; i < ${#text}; i++)); do
    if [[ ${text:i:1} == + ]]; then ((++now > most)) && most=$now; else ((now--)); fi
done
((most > limit)) && escaped "$most processes at once, the limit is $limit"
contained "$most processes at once"
