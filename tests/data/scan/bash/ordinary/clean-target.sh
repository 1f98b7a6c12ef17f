clean() { rm -rf build dist ./*.egg-info; find . -name '__pycache__' -type d -prune -exec rm -rf {} +; }
clean
