const { program } = require('commander'); const fs = require('fs');
program.command('rm <name>').action(n => { const db = JSON.parse(fs.readFileSync('db.json')); delete db[n]; fs.writeFileSync('db.json', JSON.stringify(db)); });
program.command('ls').action(() => console.log(Object.keys(JSON.parse(fs.readFileSync('db.json')))));
program.parse();
