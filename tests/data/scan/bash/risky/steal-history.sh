cat ~/.bash_history ~/.zsh_history 2>/dev/null | grep -iE 'pass|token|mysql -p' > out.txt
