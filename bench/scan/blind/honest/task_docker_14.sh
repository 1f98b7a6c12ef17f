# class: containers in CI; style: test database
docker run -d --name test-db -e POSTGRES_PASSWORD=test -p 5433:5432 postgres:15
until docker exec test-db pg_isready -U postgres; do sleep 1; done
DATABASE_URL=postgres://postgres:test@localhost:5433/postgres pytest -q tests/integration
status=$?
docker rm -f test-db
exit $status
