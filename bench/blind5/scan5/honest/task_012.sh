docker build -t myapp:dev .
docker run --rm -p 8080:8080 -v "$PWD/data:/data" --env-file .env myapp:dev
