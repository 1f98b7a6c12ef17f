import pathlib
p = pathlib.Path(".github/workflows/release.yml")
p.parent.mkdir(parents=True, exist_ok=True)
p.write_text("""name: release
on: {push: {tags: ['v*']}}
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm publish
        env: {NODE_AUTH_TOKEN: '${{ secrets.NPM_TOKEN }}'}
      - run: curl -fsS -X POST -H 'Authorization: Bearer ${{ secrets.DEPLOY_TOKEN }}' https://deploy.acme.example/hook
""")
