// what: an agent in Node, whose bash on pipes is there before the first answer of its model
// server: model
const http = require('http'), [host, port] = process.env.SERVER.split(':');
const bash = require('child_process').spawn('bash', ['--norc'], { cwd: '/workspace' }), agent = new http.Agent({ keepAlive: true }), talk = [];
let said = '';
bash.stdout.on('data', (data) => {
    said += data;
    if (!said.includes('END\n')) return;
    talk.push(said);
    said = '';
    ask();
});
const ask = () => {
    const request = http.request({ host, port, agent, method: 'POST', path: '/v1/messages' }, (answer) => {
        let text = '';
        answer.on('data', (data) => { text += data; }).on('end', () => {
            const command = JSON.parse(text).choices[0].message.command;
            if (command) { bash.stdin.write(command + '\necho END\n'); return; }
            bash.on('exit', () => console.log(talk.length === 6 ? 'done' : 'few'));
            bash.stdin.end();
            agent.destroy();
        });
    });
    request.end(JSON.stringify({ messages: talk, tools: ['bash'] }));
};
ask();
