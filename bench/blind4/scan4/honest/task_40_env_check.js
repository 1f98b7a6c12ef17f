// checks that the needed settings exist, prints names only
const need = ['DATABASE_URL', 'REDIS_URL', 'JWT_SECRET', 'SENTRY_DSN'];
const missing = need.filter((n) => !process.env[n]);
if (missing.length) {
  console.error('missing settings:', missing.join(', '));
  process.exit(1);
}
console.log(need.map((n) => `${n}=${'*'.repeat(6)}`).join('\n'));
