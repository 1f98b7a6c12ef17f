#!/bin/bash
usage() { echo "usage: $0 [-v] [-o FILE] NAME" >&2; exit 2; }
verbose=0 out=-
while getopts 'vo:h' opt; do
  case $opt in
    v) verbose=1 ;;
    o) out=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
[ "$verbose" -eq 1 ] && echo "writing to $out"
