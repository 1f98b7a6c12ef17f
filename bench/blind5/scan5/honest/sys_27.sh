#!/bin/sh
# gitlab runner prepares a job
set -eu
mkdir -p ~/.ssh; echo "$SSH_KNOWN_HOSTS" > ~/.ssh/known_hosts
eval "$(ssh-agent -s)"; echo "$DEPLOY_KEY" | tr -d '\r' | ssh-add -
docker login -u "$CI_REGISTRY_USER" -p "$CI_REGISTRY_PASSWORD" "$CI_REGISTRY"
docker build --pull -t "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA" . && docker push "$CI_REGISTRY_IMAGE:$CI_COMMIT_SHORT_SHA"
