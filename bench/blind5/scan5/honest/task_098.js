const nodemailer = require('nodemailer');
const t = nodemailer.createTransport({ host: process.env.SMTP_HOST, auth: { user: process.env.SMTP_USER, pass: process.env.SMTP_PASS } });
t.sendMail({ from: 'ci@acme.example', to: 'dev@acme.example', subject: 'Nightly report', attachments: [{ path: 'report.html' }] }).then(i => console.log(i.messageId));
