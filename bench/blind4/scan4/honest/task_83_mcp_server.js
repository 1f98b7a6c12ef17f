// tool server for an assistant: reads the project's notes
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const ROOT = path.resolve('notes');
const server = new McpServer({ name: 'notes', version: '0.1.0' });
server.tool('list', {}, async () => ({ content: [{ type: 'text', text: (await readdir(ROOT)).join('\n') }] }));
server.tool('read', { name: z.string().regex(/^[\w-]+\.md$/) }, async ({ name }) => ({
  content: [{ type: 'text', text: await readFile(path.join(ROOT, name), 'utf8') }],
}));
await server.connect(new StdioServerTransport());
