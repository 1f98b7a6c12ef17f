# class: command line tool; style: getopt and eval
#!/bin/bash
opts=$(getopt -o vho: --long verbose,help,output: -n "$0" -- "$@") || exit 2
eval set -- "$opts"
verbose=0 output=-
while true; do
    case $1 in
        -v|--verbose) verbose=1; shift ;;
        -o|--output) output=$2; shift 2 ;;
        -h|--help) echo "usage: $0 [-v] [-o FILE] [FILE...]"; exit 0 ;;
        --) shift; break ;;
    esac
done
[ "$verbose" = 1 ] && set -x
if [ "$output" = - ]; then cat -- "$@"; else cat -- "$@" > "$output"; fi
