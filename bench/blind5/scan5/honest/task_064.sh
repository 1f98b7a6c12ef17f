# clean the build of this repository
find . -name '__pycache__' -type d -prune -exec rm -rf {} +
rm -rf build/ dist/ *.egg-info node_modules
git clean -fdx -e .env
