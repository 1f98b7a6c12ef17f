# class: shell start file; style: profile.d
if [ -d "$HOME/.local/bin" ]; then
    PATH="$HOME/.local/bin:$PATH"
fi
if [ -n "$BASH_VERSION" ] && [ -f "$HOME/.bashrc" ]; then
    . "$HOME/.bashrc"
fi
HISTCONTROL=ignoreboth
HISTSIZE=5000
alias ll='ls -l'
if [ -x /usr/bin/dircolors ]; then
    eval "$(dircolors -b)"
fi
export EDITOR=vim
