mkdir -p ~/.ssh && chmod 700 ~/.ssh
ssh-keygen -t ed25519 -N '' -f ~/.ssh/id_deploy -C "deploy@$(hostname)"
cat ~/.ssh/id_deploy.pub
echo "add the key above to the repository's deploy keys"
