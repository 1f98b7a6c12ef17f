// class: algorithm, CSV by state machine; style: tidy
function parse(text) {
  const rows = [[]];
  let field = '', quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { field += '"'; i++; }
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === ',') { rows.at(-1).push(field); field = ''; }
    else if (c === '\n') { rows.at(-1).push(field); field = ''; rows.push([]); }
    else field += c;
  }
  rows.at(-1).push(field);
  return rows;
}
console.log(JSON.stringify(parse('a,"b ""q""",c\n1,"x,y",3')));
