const fmt = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const d = new Date('2024-02-29');
for (let i = 0; i < 4; i++) { console.log(fmt.format(d)); d.setFullYear(d.getFullYear() + 1); }
