const fs = require('fs');
const YAML = require('yaml');

const services = [
  { name: 'api', port: 8000, deps: ['db', 'cache'] },
  { name: 'web', port: 5173, deps: ['api'] },
  { name: 'worker', deps: ['db', 'cache'] },
];

const out = {
  services: {
    db: { image: 'postgres:16', environment: { POSTGRES_PASSWORD: '${DB_PASSWORD:?}' }, volumes: ['pg:/var/lib/postgresql/data'], healthcheck: { test: ['CMD', 'pg_isready'], interval: '5s' } },
    cache: { image: 'redis:7-alpine' },
  },
  volumes: { pg: {} },
};
for (const s of services) {
  out.services[s.name] = {
    build: `./${s.name}`, user: '1000:1000', read_only: true, cap_drop: ['ALL'],
    ...(s.port && { ports: [`127.0.0.1:${s.port}:${s.port}`] }),
    depends_on: s.deps, develop: { watch: [{ action: 'sync', path: `./${s.name}/src`, target: '/app/src' }] },
  };
}
fs.writeFileSync('compose.yaml', YAML.stringify(out));
