// The least MCP server of the protocol's own SDK, which the stall's is compared with: one tool, whose text is a file's. Words:
// PORT FILE.
/* oxlint-disable typescript/no-deprecated */
import '../../src/platform/base/production.ts';
import { readFileSync } from 'node:fs';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

const [port = '', file = ''] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/call', () => ({ content: [{ type: 'text', text }] }));
  return server;
});
Bun.serve({ hostname: '127.0.0.1', port: Number(port), fetch: (request) => handler.fetch(request) });
