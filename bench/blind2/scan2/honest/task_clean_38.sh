# class: files, deletes build products; style: agent one-off
find . -name __pycache__ -type d -prune -exec rm -rf {} +
find . -name '*.pyc' -delete
rm -rf build dist *.egg-info .pytest_cache node_modules/.cache
docker system prune -f >/dev/null 2>&1 || true
du -sh .
