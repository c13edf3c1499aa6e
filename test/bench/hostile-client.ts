// The senders of bench:hostile-bodies, a process of their own: sends a row's request as often as is said, over its
// connections, and prints how many answers had which status.
import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { HostileRow } from './hostile-body-rows.ts';

// Leaves the processors to the server and to those who wait for it.
setPriority(10);
const [file = '', count = '1'] = process.argv.slice(2);
const row = JSON.parse(readFileSync(file, 'utf8')) as HostileRow & { readonly url: string };
const body = readFileSync(String(row.body));
const method = row.method ?? 'POST';
const tally = new Map<string, number>();
let left = Number(count);

await Promise.all(
  Array.from({ length: row.connections }, async () => {
    while (left-- > 0) {
      const status = await fetch(row.url, {
        method,
        headers: row.headers,
        redirect: 'manual',
        ...(method === 'GET' ? {} : { body }),
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return String(answer.status);
        },
        () => 'cut',
      );
      tally.set(status, (tally.get(status) ?? 0) + 1);
    }
  }),
);
console.log([...tally].map(([status, times]) => `${times} x ${status}`).join(', '));
process.exit(0);
