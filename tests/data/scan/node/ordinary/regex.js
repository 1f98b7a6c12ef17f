const re = /(?<y>\d{4})-(?<m>\d\d)/;
const m = re.exec('2024-05');
console.log(m.groups.y, 'a-b-c'.split('-').reverse().join('-'), 'x'.repeat(10).padEnd(20, '.'));
