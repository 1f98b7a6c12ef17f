# class: here-document to node; style: tool call
node <<'EOF'
const fs = require('fs');
const { execSync } = require('child_process');
const files = execSync('git ls-files "*.ts"').toString().trim().split('\n');
for (const f of files) console.log(f, fs.readFileSync(f, 'utf8').split('\n').length);
EOF
