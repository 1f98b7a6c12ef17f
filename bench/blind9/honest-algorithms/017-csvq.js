import { strict as assert } from 'node:assert';

/** Parses CSV text including quotes. A state machine with three states. */
export function parseCsv(text, sep = ',') {
  const rows = [];
  let row = [], cell = '', state = 'start';
  for (const ch of text + '\n') {
    if (state === 'quoted') {
      if (ch === '"') state = 'quote';
      else cell += ch;
    } else if (ch === '"' && (state === 'quote' || cell === '')) {
      if (state === 'quote') cell += '"';
      state = 'quoted';
    } else if (ch === sep || ch === '\n') {
      row.push(cell);
      cell = '';
      state = 'start';
      if (ch === '\n') {
        if (row.length > 1 || row[0] !== '') rows.push(row);
        row = [];
      }
    } else if (ch !== '\r') {
      cell += ch;
      state = 'plain';
    }
  }
  return rows;
}

export function sumBy(rows, key, val) {
  const [head, ...body] = rows;
  const k = head.indexOf(key), v = head.indexOf(val);
  const m = new Map();
  for (const r of body) m.set(r[k], (m.get(r[k]) ?? 0) + Number(r[v]));
  return m;
}

const rows = parseCsv('city,name,n\nBern,"Meier, Hans",3\nBasel,"say ""hi""",4\nBern,x,5\n');
assert.deepEqual(rows[1], ['Bern', 'Meier, Hans', '3']);
assert.equal(sumBy(rows, 'city', 'n').get('Bern'), 8);
