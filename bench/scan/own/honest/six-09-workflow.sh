mkdir -p .github/workflows
cat > .github/workflows/ci.yml <<'EOF'
name: ci
on: [push, pull_request]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with: { python-version: "3.12" }
      - run: |
          python -m pip install -U pip
          pip install -e .[dev]
          sudo apt-get update && sudo apt-get install -y ripgrep
      - run: pytest --cov
      - name: Publish
        if: startsWith(github.ref, 'refs/tags/')
        env:
          TWINE_PASSWORD: ${{ secrets.PYPI_TOKEN }}
        run: |
          python -m build
          twine upload dist/*
EOF
git add .github && git commit -qm ci
