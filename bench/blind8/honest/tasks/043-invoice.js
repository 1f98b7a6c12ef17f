const fs = require('fs');
const PDFDocument = require('pdfkit');

const money = (n) => new Intl.NumberFormat('de-CH', { style: 'currency', currency: 'CHF' }).format(n);

function render(inv, file) {
  const doc = new PDFDocument({ size: 'A4', margin: 56 });
  doc.pipe(fs.createWriteStream(file));
  doc.fontSize(18).text(`Invoice ${inv.number}`).moveDown();
  doc.fontSize(10).text(inv.customer.name).text(inv.customer.street).moveDown();
  let total = 0;
  for (const l of inv.lines) {
    const sum = l.qty * l.price;
    total += sum;
    doc.text(`${l.qty} × ${l.text}`, { continued: true }).text(money(sum), { align: 'right' });
  }
  doc.moveDown().font('Helvetica-Bold').text(`Total ${money(total)}`, { align: 'right' });
  doc.end();
}

for (const f of process.argv.slice(2)) {
  const inv = JSON.parse(fs.readFileSync(f, 'utf8'));
  render(inv, `${inv.number}.pdf`);
}
