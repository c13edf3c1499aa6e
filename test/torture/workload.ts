// Runs below strace: a server with questions and office work beside it, then only office work; one thing at a time.
// Usage: bun workload.ts PROGRAM DIRECTORY SEED OPERATIONS. The output of a command goes to DIRECTORY/said/N.json.
import { mkdirSync, openSync, closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChance } from './chance.ts';
import { createClerk } from './clerk.ts';
import { FREE_BOOK, PAID } from './content.ts';
import { startServer } from './program.ts';

const [binary = '', directory = '', seed = '0', operations = '0'] = process.argv.slice(2);
const chance = createChance(Number(seed));
const clerk = createClerk('clerk', chance, PAID);
const data = join(directory, 'data');
mkdirSync(join(directory, 'said'));

async function work(first: number, last: number, url: string | null): Promise<void> {
  for (let n = first; n < last; n++) {
    const { words, csv, settle } = clerk.next();
    const file = join(directory, 'import.csv');
    if (csv !== null) writeFileSync(file, csv);
    const said = openSync(join(directory, 'said', `${n}.json`), 'w');
    const command = [binary, ...words, ...(csv === null ? [] : [file]), '--data', data, '--json'];
    const child = Bun.spawn(command, { stdio: ['ignore', said, 'ignore'] });
    if ((await child.exited) !== 0) throw new Error(`${words.join(' ')} failed`);
    closeSync(said);
    settle((await Bun.file(join(directory, 'said', `${n}.json`)).json()) as Record<string, string>);
    if (url !== null && n % 2 === 0) await ask(url);
  }
}

async function ask(url: string): Promise<void> {
  const holder = clerk.accounts().find(({ isDisabled, keys }) => !isDisabled && keys.length > 0);
  if (holder === undefined) return;
  const answer = await fetch(`${url}/api/agent/fetch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${holder.keys[0]?.text}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: FREE_BOOK, query: 'Why does the heron stand on one leg?' }),
  });
  await answer.text();
}

const half = Math.floor(Number(operations) / 2);
const server = await startServer(directory, binary);
await work(0, half, server.url);
await server.stop();
await work(half, Number(operations), null);
