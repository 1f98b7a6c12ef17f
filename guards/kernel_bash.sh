# A kernel for bash: cells that share the working directory, variables, functions, aliases and options.
#
#     bash --noprofile --norc /code/main.sh REQUESTS REPLIES
#
# REQUESTS and REPLIES are descriptors, perhaps the same one; the frames are those of kernel_python.py, and
# src/kernel/frame.h reads the replies. A cell has no result, only what it writes; where its last command fails, the
# error is ExitStatus with the number.
#
# Each cell is a subshell that reads the state of the one before it and writes its own when it ends, however it ends:
# `exit`, `set -e`, `set -u` and SIGINT end the cell and not the kernel. Its processes in the background go on; `jobs`
# and traps are not kept, and nothing of a cell that sets a trap for EXIT or becomes another program. What a cell starts
# does not get the descriptors.
__kernel_in=$1 __kernel_out=$2 __kernel_state=${TMPDIR:-/tmp}/.kernel-$$ __kernel_source='' __kernel_is_interrupted=0
shift 2
(umask 077 && builtin printf 'cd -- %q\n' "$PWD" >|"$__kernel_state") || exit 1

for __kernel_id in _ {a..z} {A..Z}; do
  __kernel_source+=" \"\${!$__kernel_id@}\"" # the names that begin with it
done
# Without a process. What bash says is readonly would end the reading, and so would options before the last line.
__kernel_save='{
  builtin set +efu -- "$__kernel_options"
  builtin printf "cd -- %q\n" "$PWD"
  for _ in '$__kernel_source'; do
    case $_ in
    __kernel_* | BASHOPTS | BASH_* | DIRSTACK | EUID | FUNCNAME | GROUPS | PIPESTATUS | PPID | SHELLOPTS | UID | _) ;;
    *) builtin declare -p "$_" ;;
    esac
  done
  builtin declare -f
  builtin alias -p
  builtin umask -p
  builtin shopt -p
  builtin unset IFS
  builtin printf "set -o %s\n" ${1//:/ }
} >|"$__kernel_state"'

trap __kernel_is_interrupted=1 INT
printf 'i 0 0\n' >&"$__kernel_out" || exit 0
while IFS=' ' read -r -u "$__kernel_in" _ __kernel_id __kernel_size; do
  IFS= LC_ALL=C read -r -N "$__kernel_size" -u "$__kernel_in" __kernel_source || [[ $__kernel_size == 0 ]] || exit 0
  __kernel_is_interrupted=0
  (
    trap - INT
    eval "exec $__kernel_in<&- $__kernel_out<&-"
    trap '{ __kernel_options=$SHELLOPTS; builtin trap "" INT; builtin set +x; } 2>&-; eval "$__kernel_save"' EXIT
    { . "$__kernel_state"; } 2>&-
    eval "$__kernel_source"
  )
  __kernel_status=$?
  if ((__kernel_is_interrupted)); then
    __kernel_error=(Interrupted 'the cell was interrupted' Interrupted)
  elif ((__kernel_status)); then
    __kernel_error=(ExitStatus "$__kernel_status" "exit status $__kernel_status")
  else
    __kernel_error=()
  fi
  if ((${#__kernel_error[@]})); then
    __kernel_size=$((${#__kernel_error[0]} + ${#__kernel_error[1]} + ${#__kernel_error[2]} + 2))
    printf 'e %d %d\n%s\0%s\0%s' "$__kernel_id" "$__kernel_size" "${__kernel_error[@]}" >&"$__kernel_out" || exit 0
  fi
  printf 'd %d 0\n' "$__kernel_id" >&"$__kernel_out" || exit 0
done
