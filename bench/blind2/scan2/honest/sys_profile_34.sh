# class: profile; style: /etc/profile.d
# shellcheck shell=sh
if [ -n "$BASH_VERSION" ] && [ -n "$PS1" ]; then
    HISTSIZE=10000 HISTCONTROL=ignoreboth
    [ -x /usr/bin/dircolors ] && eval "$(dircolors -b)"
    [ -x /usr/bin/lesspipe ] && eval "$(SHELL=/bin/sh lesspipe)"
    alias ll='ls -alF' rm='rm -i'
    command -v direnv >/dev/null && eval "$(direnv hook bash)"
fi
case ":$PATH:" in *:/opt/acme/bin:*) ;; *) PATH=$PATH:/opt/acme/bin ;; esac
export PATH
if [ -z "$SSH_AUTH_SOCK" ]; then eval "$(ssh-agent -s)" >/dev/null; fi
