const path = require('path');
const file = path.join(__dirname, 'data', 'report.csv');
console.log(path.basename(file, '.csv'), path.extname(file), path.relative(process.cwd(), file));
