// class: everyday; style: Intl
const f = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
for (let m = 0; m < 12; m++) console.log(f.format(new Date(Date.UTC(2026, m, 1))));
