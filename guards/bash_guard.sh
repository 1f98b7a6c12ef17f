# Courtesy layer for bash: a clear word where a command is absent because the risk level blocks it.
#
# The launcher takes the commands out of the sandbox; that is what stops them. This only tells the reader why,
# and tells the launcher which. Where /usr/bin is seen and a command in it is only masked (medium), EXECIGNORE makes
# bash look through the mask: a search by PATH does not find it, `command -v` either, so that a script with a choice
# takes another one. Asked for by its path, or by another program, a masked command is «Permission denied», 126, and
# is not reported. The launcher fills in the line below and runs
#     BASH_ENV=/code/.guard.sh bash [-r] /code/main.sh ARG...
# bash reads this before the script (and before -r binds), without a change to $0, to line numbers or to `set -e`.
# The function runs in the child that was to become the command, so that it can change nothing in the script; and
# under whatever options the script has set, so: builtins only, every variable set, no output but by >&N (for -r).
# The descriptor stays open in what the script starts: bash cannot set close-on-exec. It is a pipe's end, written without
# waiting, and whatever comes out of it is only believed of this very run.
command_not_found_handle() {
  local blocked='' report_fd='' # replaced by the launcher
  if (($# == 0)); then # our own call below
    local name IFS=' ' ignored=''
    for name in $blocked; do
      name=${name//[/\\[}
      ignored+=:/usr/bin/$name:/bin/$name:/usr/local/bin/$name:/usr/sbin/$name:/sbin/$name
    done
    [[ -z $ignored ]] || EXECIGNORE+=$ignored # at once: bash reads the list anew with each change
    # the shell's own start is over
    builtin trap '' PIPE
    [[ -z $report_fd ]] || builtin printf '{"type":"begun","detail":"program"}\n' 2>&- >&"$report_fd" || :
    builtin trap - PIPE
  elif [[ " $blocked " == *" $1 "* ]]; then
    # A name is a violation only if it is in the list, so it needs no quoting here.
    builtin trap '' PIPE # when no process listens any more
    [[ -z $report_fd ]] || builtin printf '{"type":"blocked_command","detail":"%s"}\n' "$1" 2>&- >&"$report_fd" || :
    builtin printf '%s: line %d: %s: blocked at this risk level (blocked_commands)\n' "${BASH_SOURCE[1]:-$0}" "${BASH_LINENO[0]}" "$1" >&2
  else
    # bash's own words
    builtin printf '%s: line %d: %s: command not found\n' "${BASH_SOURCE[1]:-$0}" "${BASH_LINENO[0]}" "$1" >&2
  fi
  return 127
}
# An interpreter that was started before there was any work gets it at this descriptor, as the length of a text and the
# text: what sets arguments and environment. The script is empty until then.
if [[ -n ${SANDBOX_PARKED-} ]] && IFS= read -r -u "$SANDBOX_PARKED" sandbox_work 2>&-; then
  IFS= LC_ALL=C read -r -N "$sandbox_work" -u "$SANDBOX_PARKED" sandbox_work
  builtin printf t >&"$((SANDBOX_PARKED - 1))" # taken: from here on the run counts
  eval "exec $((SANDBOX_PARKED - 1))>&- $SANDBOX_PARKED<&-; unset sandbox_work SANDBOX_PARKED; $sandbox_work"
fi
command_not_found_handle || :
unset BASH_ENV # the script's own children are ordinary
: "$BASH"      # $_ is what it would have been
