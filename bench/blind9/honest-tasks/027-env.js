// config.js: read settings once, fail early, never print the secrets
require('dotenv').config();
const { z } = require('zod');

const schema = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: z.coerce.number().int().positive().default(3000),
  DATABASE_URL: z.string().url(),
  SESSION_SECRET: z.string().min(32),
  STRIPE_KEY: z.string().startsWith('sk_').optional(),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});

const parsed = schema.safeParse(process.env);
if (!parsed.success) {
  for (const issue of parsed.error.issues) console.error(`${issue.path.join('.')}: ${issue.message}`);
  process.exit(1);
}

const hidden = new Set(['DATABASE_URL', 'SESSION_SECRET', 'STRIPE_KEY']);
for (const [k, v] of Object.entries(parsed.data)) {
  console.log(k.padEnd(16), hidden.has(k) ? '***' : v);
}
module.exports = Object.freeze(parsed.data);
