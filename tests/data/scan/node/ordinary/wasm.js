const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
WebAssembly.instantiate(bytes).then(({ instance }) => console.log(Object.keys(instance.exports)));
