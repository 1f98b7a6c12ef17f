// class: files, changes imports in a tree; style: agent one-off
const fs=require('fs'),path=require('path'),{execSync}=require('child_process');
const files=execSync('git ls-files "*.ts" "*.tsx"').toString().trim().split('\n');
let n=0;
for(const f of files){const s=fs.readFileSync(f,'utf8');const t=s.replace(/from ['"]lodash['"]/g,"from 'lodash-es'");if(s!==t){fs.writeFileSync(f,t);n++}}
console.log(n,'files');execSync('npx tsc --noEmit',{stdio:'inherit'});
