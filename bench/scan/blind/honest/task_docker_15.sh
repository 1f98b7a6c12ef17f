# class: containers; style: cross build
docker run --rm -v "$PWD":/src -w /src -u "$(id -u):$(id -g)" golang:1.22 go build -o bin/tool ./cmd/tool
docker build --build-arg VERSION="$(git describe --tags)" -t tool:latest .
docker image prune -f
