const render = (t, data) => t.replace(/\{\{(\w+)\}\}/g, (_, k) => data[k] ?? '');
console.log(render('Dear {{name}}, your total is {{total}}.', { name: 'Bo', total: 42 }));
