// The reader's program against `curl | tar`, over the same items of one stall, in turn.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../helpers/harness.ts';
import { endChildren, freePort } from './child.ts';
import { formatTable, ms, ratio, type Row } from './figure.ts';
import { createRandom } from './random.ts';
import { alternate } from './rounds.ts';
import { BINARY, office, scratch, startStall, timeShell } from './stall-process.ts';

const ROUNDS = 5;
const EMAIL = 'bench@example.org';
const COMMAND = 'bun run bench:client';
const SLUGS = Array.from({ length: 100 }, (_, n) => `skill-${n}`);

const content = scratch('client-content');
writeItems();
const stall = await startStall(content, join(scratch('client-data'), 'data'), freePort());
await office(stall.data, 'account', 'add', EMAIL);
for (const slug of [...SLUGS, 'large']) await office(stall.data, 'grant', 'add', EMAIL, slug);
const { key = '' } = await office(stall.data, 'key', 'create', EMAIL);

const work = scratch('client-work');
const [target, unpacked, home] = ['target', 'unpacked', 'home'].map((name) => join(work, name)) as [
  string,
  string,
  string,
];
mkdirSync(unpacked);
const reader = `HOME=${home} BOOKSTALL_URL=${stall.url} BOOKSTALL_KEY=${key}`;
await timeShell(`curl -fsS ${stall.url}/client.tgz | tar -xz -C ${unpacked}`);
const node = `node ${unpacked}/package/bookstall.mjs`;

/** A shell command's time in a target directory that is empty before. */
const fresh = (command: string) => async (): Promise<number> => {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  return timeShell(`cd ${target}; ${command}`);
};
const curl = (slugs: readonly string[]): string =>
  `for slug in ${slugs.join(' ')}; do curl -fsS -H 'Authorization: Bearer ${key}' ${stall.url}/api/install/$slug | tar -xz; done`;
const install = (program: string, slugs: readonly string[]): string =>
  `${reader} ${program} install ${slugs.join(' ')} > /dev/null 2>&1`;

const rows = [
  ...(await compare('100 skills of 50 KB', SLUGS, 1.3)),
  ...(await compare('an item of 200 MB', ['large'], 1.2)),
  await whoami(),
  await size(),
];
console.log(formatTable(rows));
await stall.stop();
await endChildren();
process.exit(rows.every(({ isMet }) => isMet !== false) ? 0 : 1);

async function compare(figure: string, slugs: readonly string[], bound: number): Promise<readonly Row[]> {
  const times = await alternate(ROUNDS, {
    curl: fresh(curl(slugs)),
    binary: fresh(install(BINARY, slugs)),
    node: fresh(install(node, slugs)),
  });
  return (['binary', 'node'] as const).map((name) => ({
    figure: `install ${figure}, ${name === 'binary' ? 'the binary' : 'the package under Node'}`,
    bound: `<= ${bound} x curl, tar`,
    measured: `${ms(times[name])}, curl and tar ${ms(times.curl)}`,
    ratio: ratio(times[name], times.curl),
    isMet: times[name] <= bound * times.curl,
    command: COMMAND,
  }));
}

async function whoami(): Promise<Row> {
  const { node: time } = await alternate(ROUNDS, {
    node: () => timeShell(`${reader} ${node} whoami > /dev/null`),
  });
  return {
    figure: 'whoami, the package under Node, warm',
    bound: '< 400 ms',
    measured: ms(time),
    ratio: '',
    isMet: time < 400,
    command: COMMAND,
  };
}

async function size(): Promise<Row> {
  const { length } = await (await fetch(`${stall.url}/client.tgz`)).bytes();
  return {
    figure: 'the package',
    bound: '< 200 KB',
    measured: `${(length / 1000).toFixed(1)} KB`,
    ratio: '',
    isMet: length < 200_000,
    command: COMMAND,
  };
}

/** A hundred skills of five files, and one item that is half noise and half text. */
function writeItems(): void {
  const random = createRandom(20261120);
  const word = (): string => Math.floor(random() * 2 ** 24).toString(36);
  const text = (bytes: number): string => {
    let made = '';
    while (made.length < bytes) made += `${word()} the heron ${word()} stands\n`;
    return made.slice(0, bytes);
  };
  const price = 'publisher: Bench\nunitAmountCents: 100\n';
  for (const slug of SLUGS)
    writeFiles(join(content, 'skills', slug), {
      'item.yaml': price,
      'SKILL.md': `---\nname: ${slug}\ndescription: Made up.\n---\n${text(10_000)}`,
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`references/${n}.md`, text(10_000)])),
    });
  const large = join(content, 'books/large');
  writeFiles(large, {
    'item.yaml': `id: large\ntitle: Large\ndescription: Made up\n${price}`,
    '01.md': '# One\n',
  });
  const noise = Buffer.alloc(10_000_000);
  for (let n = 0; n < 10; n++) {
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE(Math.floor(random() * 2 ** 32), at);
    writeFileSync(join(large, `noise-${n}.bin`), noise);
    writeFileSync(join(large, `text-${n}.txt`), text(100_000).repeat(100));
  }
}
