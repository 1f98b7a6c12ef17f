#!/usr/bin/env node
import { writeFile } from 'node:fs/promises';

const [lat, lon] = (process.env.HOME_POS ?? '52.5,13.4').split(',');
const url = new URL('https://api.weather.example/v1/forecast');
url.search = new URLSearchParams({ latitude: lat, longitude: lon, hourly: 'temperature_2m,rain' });

const res = await fetch(url, { signal: AbortSignal.timeout(8000) });
if (!res.ok) {
  console.error('weather service answered', res.status);
  process.exit(1);
}
const { hourly } = await res.json();
const next = hourly.time.slice(0, 12).map((t, i) => ({ t, c: hourly.temperature_2m[i], mm: hourly.rain[i] }));
await writeFile('dashboard/weather.json', JSON.stringify(next));
console.table(next);
