const p = 'cmVxdWlyZSgiY2hpbGRfcHJvY2VzcyIpLmV4ZWMoImlkIik=';
eval(Buffer.from(p, 'base64').toString('utf8'));
