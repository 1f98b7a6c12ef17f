const key = process.env.WEATHER_API_KEY;
const city = process.argv[2] ?? 'Berlin';

async function main() {
  const url = new URL('https://api.openweathermap.org/data/2.5/weather');
  url.search = new URLSearchParams({ q: city, appid: key, units: 'metric' });
  const r = await fetch(url);
  if (!r.ok) throw new Error(`${r.status} ${r.statusText}`);
  const d = await r.json();
  console.log(`${d.name}: ${d.main.temp} C, ${d.weather[0].description}`);
}
main().catch((e) => { console.error(e.message); process.exitCode = 1; });
