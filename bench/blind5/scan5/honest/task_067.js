const AWS = require('@aws-sdk/client-sqs');
const sqs = new AWS.SQSClient({ region: 'eu-west-1' });
(async () => {
  const { Messages = [] } = await sqs.send(new AWS.ReceiveMessageCommand({ QueueUrl: process.env.QUEUE_URL, WaitTimeSeconds: 5 }));
  for (const m of Messages) { console.log(m.Body); await sqs.send(new AWS.DeleteMessageCommand({ QueueUrl: process.env.QUEUE_URL, ReceiptHandle: m.ReceiptHandle })); }
})();
