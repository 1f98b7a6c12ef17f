# class: CI, writes a workflow; style: agent one-off
import pathlib, textwrap
p = pathlib.Path(".github/workflows/ci.yml"); p.parent.mkdir(parents=True, exist_ok=True)
p.write_text(textwrap.dedent("""\
    name: ci
    on: [push, pull_request]
    jobs:
      test:
        runs-on: ubuntu-latest
        strategy: {matrix: {python: ["3.10", "3.12"]}}
        steps:
          - uses: actions/checkout@v4
          - uses: actions/setup-python@v5
            with: {python-version: "${{ matrix.python }}"}
          - run: pip install -e .[test] && pytest
          - run: curl -Os https://uploader.codecov.io/latest/linux/codecov && chmod +x codecov && ./codecov
"""))
print(p)
