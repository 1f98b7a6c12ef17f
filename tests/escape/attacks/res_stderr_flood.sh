# class: resources
# what: writes 100 MiB to stderr, in lines without end
# reason: completed output_limit timeout killed signal
# timeout: 5
# outside: output_bounded
# include: attack.sh
printf 'CONTAINED: what follows is cut from outside\n'
printf -v block '%65536s' ''
for ((i = 0; i < 1600; i++)); do printf %s "$block" >&2 || break; done
exit 0
