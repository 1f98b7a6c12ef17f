const Module = require('module');
const orig = Module._load;
Module._load = function (request) {
  if (request === 'fs') console.log('intercepted');
  return orig.apply(this, arguments);
};
