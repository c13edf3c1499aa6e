// A push of 100 MB: how much memory the server takes while it arrives, how fast it answers meanwhile, and how long one changed
// file of a book of 5 MB takes until it is served. Usage: bun test/bench/push.ts, after a build.
import { readFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { pack } from '../torture/push.ts';
import { runCommand, scratch, startServer, writeFiles } from '../torture/program.ts';

const OWNER = 'owner@example.org';
const directory = scratch('push-bench');
writeFiles(join(directory, 'content/skills/other'), {
  'item.yaml': 'title: Other\ndescription: A skill.\npublisher: Bench\nunitAmountCents: 0\n',
  'SKILL.md': '---\nname: other\ndescription: A skill.\n---\n\nText.\n',
});
const server = await startServer(directory);
await runCommand(directory, ['account', 'add', OWNER, '--owner']);
const { out } = await runCommand(directory, ['key', 'create', OWNER, '--publish', '--terms']);
const key = out.trim();

/** The resident memory of the server, in MB. */
const memory = (): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;

const noise = (size: number): Buffer => randomBytes(size);
const yaml = Buffer.from(
  'id: large\ntitle: Large\ndescription: A book.\npublisher: Bench\nunitAmountCents: 0\n',
);

async function put(slug: string, body: Uint8Array<ArrayBuffer>, before: string | null) {
  const condition: Record<string, string> =
    before === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${before}"` };
  const begun = performance.now();
  const response = await fetch(`${server.url}/api/publish/book/${slug}`, {
    method: 'PUT',
    body,
    headers: { Authorization: `Bearer ${key}`, ...condition },
  });
  const answer = (await response.json()) as { hash: string; served: boolean };
  return { ...answer, status: response.status, ms: Math.round(performance.now() - begun) };
}

const parts = Array.from({ length: 100 }, (_, n) => [`data/${n}.bin`, noise(1_000_000)] as const);
const hundred = pack([['item.yaml', yaml], ['01.md', Buffer.from('# Large\n\nText.\n')], ...parts]);
const warm = Buffer.from(String(yaml).replaceAll(/large/gi, 'warm'));
await put(
  'warm',
  pack([
    ['item.yaml', warm],
    ['01.md', Buffer.from('# Warm\n\nText.\n')],
  ]),
  null,
);
await Bun.sleep(2000);

const [idle, times]: [number, number[]] = [memory(), []];
let [most, mostArriving, isOver] = [0, 0, false];
const staged = join(directory, 'data/pushed/new');
const watching = (async () => {
  while (!isOver) {
    const now = memory();
    most = Math.max(most, now);
    if ([...new Bun.Glob('*').scanSync({ cwd: staged, onlyFiles: false })].length > 0 && !isWhole())
      mostArriving = Math.max(mostArriving, now);
    const begun = performance.now();
    await (await fetch(`${server.url}/livez`)).text();
    times.push(performance.now() - begun);
    await Bun.sleep(5);
  }
})();
/** Whether the last file of the folder has arrived: the compilers take memory of their own from then on. */
function isWhole(): boolean {
  return [...new Bun.Glob('*/data/99.bin').scanSync({ cwd: staged })].length > 0;
}
const answer = await put('large', hundred, null);
isOver = true;
await watching;
times.sort((a, b) => a - b);
const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
console.log(`100 MB: ${answer.status}, served ${answer.served}, after ${answer.ms} ms`);
console.log(
  `memory: ${idle.toFixed(0)} MB before, +${(mostArriving - idle).toFixed(0)} MB while it arrives, +${(most - idle).toFixed(0)} MB with compilers`,
);
console.log(
  `/livez: ${times.length} answers, median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(0.9999)} ms`,
);

const book = (n: number, changed: string) => {
  const chapters = Array.from({ length: 50 }, (_, m) => {
    const text = m === 0 ? changed : `Sentence ${n} of chapter ${m} is about reeds and herons. `;
    return [
      `${m}.md`,
      Buffer.from(
        `# Chapter ${m}\n\n${`${text} `.repeat(Math.ceil(100_000 / (text.length + 1))).replaceAll(/(.{900}) /g, '$1\n\n')}\n`,
      ),
    ] as const;
  });
  return pack([['item.yaml', Buffer.from(String(yaml).replaceAll(/large/gi, 'five'))], ...chapters]);
};
let last = await put('five', book(1, 'The first words.'), null);
console.log(`a book of 5 MB, first: ${last.ms} ms, served ${last.served}`);
for (const words of ['Other words.', 'Third words.', 'Fourth words.']) {
  last = await put('five', book(1, words), last.hash);
  console.log(`one changed file of it: ${last.ms} ms, served ${last.served}`);
}
await server.stop();
