const pad = (n) => String(n).padStart(2, '0');
const parts = { YYYY: (d) => d.getUTCFullYear(), MM: (d) => pad(d.getUTCMonth() + 1), DD: (d) => pad(d.getUTCDate()), hh: (d) => pad(d.getUTCHours()), mm: (d) => pad(d.getUTCMinutes()) };

const format = (d, f) => f.replace(/YYYY|MM|DD|hh|mm/g, (k) => parts[k](d));

function month(y, m) {
  const first = new Date(Date.UTC(y, m - 1, 1)).getUTCDay();
  const days = new Date(Date.UTC(y, m, 0)).getUTCDate();
  const cells = [...Array((first + 6) % 7).fill('  '), ...Array.from({ length: days }, (_, i) => String(i + 1).padStart(2))];
  const rows = [];
  while (cells.length) rows.push(cells.splice(0, 7).join(' '));
  return ['Mo Tu We Th Fr Sa Su', ...rows].join('\n');
}

console.log(format(new Date(0), 'YYYY-MM-DD hh:mm'));
console.log(month(2024, 2));
