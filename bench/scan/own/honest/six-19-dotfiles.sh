#!/bin/bash
cat >> ~/.bashrc <<'EOF'
export PATH="$HOME/.local/bin:$HOME/go/bin:$PATH"
export EDITOR=vim
alias ll='ls -la' gs='git status'
[ -f ~/.fzf.bash ] && . ~/.fzf.bash
eval "$(direnv hook bash)"
eval "$(ssh-agent -s)" >/dev/null
EOF
mkdir -p ~/.local/bin
cat > ~/.local/bin/gcleanup <<'EOF'
#!/bin/sh
git branch --merged | grep -v '\*\|main' | xargs -r git branch -d
EOF
chmod +x ~/.local/bin/gcleanup
