// working days between two dates
function* days(from, to) {
  for (const d = new Date(from); d <= to; d.setUTCDate(d.getUTCDate() + 1)) yield new Date(d);
}
const holidays = new Set(['2025-12-25', '2025-12-26', '2026-01-01']);
const isWork = (d) => ![0, 6].includes(d.getUTCDay()) && !holidays.has(d.toISOString().slice(0, 10));
console.log([...days(new Date('2025-12-20Z'), new Date('2026-01-05Z'))].filter(isWork).length);
