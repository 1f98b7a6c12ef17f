# class: files, PATH into the own profile; style: installer
install -D -m 755 bin/mytool "$HOME/.local/bin/mytool"
if ! grep -qs '.local/bin' "$HOME/.bashrc"; then
    echo 'export PATH="$HOME/.local/bin:$PATH"' >> "$HOME/.bashrc"
fi
echo "restart your shell, then: mytool --help"
