python3 -c "import sys, json; d = json.load(open('package.json')); d['version'] = sys.argv[1]; json.dump(d, open('package.json', 'w'), indent=2)" 1.4.2
python3 -c "
import subprocess
print(subprocess.check_output(['git', 'status', '--short'], text=True))
"
node -e "const p = require('./package.json'); console.log(p.name, p.version)"
node -p "require('fs').readdirSync('.').filter(f => f.endsWith('.json'))"
perl -pi -e 's/version = "\d+\.\d+\.\d+"/version = "1.4.2"/' pyproject.toml
