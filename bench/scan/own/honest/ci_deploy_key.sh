# CI: the deploy key comes from a variable
eval "$(ssh-agent -s)"
echo "$SSH_PRIVATE_KEY" | tr -d '\r' | ssh-add -
mkdir -p ~/.ssh && chmod 700 ~/.ssh
ssh-keyscan -H web.example.com >> ~/.ssh/known_hosts
echo "$KUBE_CONFIG" | base64 -d > ~/.kube/config
docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
docker build -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHA" . && docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHA"
ssh deploy@web.example.com "docker pull $CI_REGISTRY_IMAGE:$CI_COMMIT_SHA && cd /srv/app && docker compose up -d"
