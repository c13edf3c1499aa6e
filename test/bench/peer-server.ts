// The servers that the throughput rows are compared with: `bun` sends bytes it holds, `elysia` answers with a
// text. Compiled like the stall.
import { readFileSync } from 'node:fs';
import { Elysia } from 'elysia';

const [kind, file = '', port] = process.argv.slice(2);
const listening = { hostname: '127.0.0.1', port: Number(port), development: false };

if (kind === 'bun') {
  const bytes = readFileSync(file);
  Bun.serve({ ...listening, fetch: () => new Response(bytes) });
} else {
  const text = readFileSync(file, 'utf8');
  new Elysia().get('/', () => text).listen(listening);
}
