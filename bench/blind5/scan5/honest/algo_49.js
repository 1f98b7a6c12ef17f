const parseCSV = s => s.trim().split('\n').map(l => l.match(/("([^"]|"")*"|[^,]*)(,|$)/g).slice(0, -1).map(c => c.replace(/,$/, '').replace(/^"|"$/g, '').replace(/""/g, '"')));
console.log(parseCSV('a,b\n"x, y",2\n'));
