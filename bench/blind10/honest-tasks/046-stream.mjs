#!/usr/bin/env node
/**
 * A minimal chat client for the terminal.
 *
 * Reads lines from standard input, keeps the conversation in memory and
 * prints the answer of the model while it arrives.
 */
import OpenAI from 'openai';
import readline from 'node:readline/promises';

if (!process.env.OPENAI_API_KEY) {
  console.error('OPENAI_API_KEY is not set');
  process.exit(2);
}

const client = new OpenAI();
const messages = [{ role: 'system', content: 'You answer briefly.' }];
const rl = readline.createInterface({ input: process.stdin, output: process.stdout });

/** Sends the conversation and prints the streamed answer. */
async function answer() {
  const stream = await client.chat.completions.create({ model: process.env.MODEL ?? 'gpt-4o-mini', messages, stream: true });
  let text = '';
  for await (const part of stream) {
    const delta = part.choices[0]?.delta?.content ?? '';
    text += delta;
    process.stdout.write(delta);
  }
  process.stdout.write('\n');
  messages.push({ role: 'assistant', content: text });
}

for (;;) {
  const line = await rl.question('> ');
  if (line === '/quit') break;
  messages.push({ role: 'user', content: line });
  await answer();
}
rl.close();
