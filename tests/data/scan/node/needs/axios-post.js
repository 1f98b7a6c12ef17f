const axios = require('axios');
const payload = { event: 'signup', at: Date.now() };
axios.post('https://hooks.example.com/in', payload).then((r) => console.log(r.status));
