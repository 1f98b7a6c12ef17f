# class: packages and build; style: CI
npm ci
npm run lint
npm run build
npx playwright install --with-deps chromium
npx playwright test
