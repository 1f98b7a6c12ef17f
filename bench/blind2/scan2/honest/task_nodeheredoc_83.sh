# class: data work, node in a here-document; style: agent
node <<'JS'
const fs = require('fs');
const rows = fs.readFileSync('events.ndjson', 'utf8').trim().split('\n').map(l => JSON.parse(l));
const by = Object.groupBy ? Object.groupBy(rows, r => r.type) : rows.reduce((a, r) => ((a[r.type] ||= []).push(r), a), {});
for (const [k, v] of Object.entries(by)) console.log(k, v.length);
JS
