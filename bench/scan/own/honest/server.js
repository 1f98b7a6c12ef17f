// an express service with a health check
const express = require('express');
const fs = require('fs');
const https = require('https');
require('dotenv').config();
const app = express();
app.use(express.json());
app.get('/health', (req, res) => res.json({ ok: true, uptime: process.uptime() }));
app.post('/items', (req, res) => res.status(201).json({ id: 1, ...req.body }));
const options = { key: fs.readFileSync('certs/server.key'), cert: fs.readFileSync('certs/server.pem') };
https.createServer(options, app).listen(process.env.PORT || 8443);
process.on('SIGTERM', () => process.exit(0));
