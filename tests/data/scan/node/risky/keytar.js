const keytar = require("keytar"); keytar.findCredentials("github").then(console.log);
