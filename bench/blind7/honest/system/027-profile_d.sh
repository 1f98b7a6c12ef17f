# /etc/profile.d/lang-tools.sh - shipped by the lang-tools package
# add the tool directory once and set defaults for interactive shells

case ":${PATH}:" in
  *:/opt/lang-tools/bin:*) ;;
  *) PATH="${PATH}:/opt/lang-tools/bin" ;;
esac
export PATH

if [ -n "${BASH_VERSION-}" ] && [ -n "${PS1-}" ]; then
  if [ -r /usr/share/bash-completion/completions/lang ]; then
    . /usr/share/bash-completion/completions/lang
  fi
  alias lt='lang --color=auto'
fi
: "${LANG_TOOLS_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/lang-tools}"
export LANG_TOOLS_CACHE
