cd /workspace/web || exit 1
node --version
npm install --no-audit --no-fund
npm run lint -- --fix
npx tsc --noEmit
npm test -- --watch=false 2>&1 | tail -n 40
