// Part "push": kill -9 of the server while a folder arrives and while a start removes what 0.4 kept, disks that fill up under it, and pairs of pushes at once. After each
// the item is the folder before or the new one, whole, served as it was answered, and nothing else is left.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from '../../src/catalog/archive/tar.ts';
import { hashFolder, hashOwnFiles } from '../../src/publishing/pushed.ts';
import { walkItem } from '../../src/publishing/scan.ts';
import { hashFile } from '../../src/catalog/file-scan.ts';
import type { Chance } from './chance.ts';
import { launchServer, runCommand, scratch, type Server, startServer, writeFiles } from './program.ts';

const SLUG = 'pushed';
const FILES = 24;
const FILE = 32_000;
const OWNER = 'owner@example.org';

/** A skill whose every file says its number, in random bytes that do not shrink. */
function folderOf(number: number): readonly (readonly [string, Buffer])[] {
  const files = Array.from({ length: FILES }, (_, n) => {
    const noise = crypto.getRandomValues(new Uint8Array(FILE));
    return [`data/${n}.bin`, Buffer.concat([Buffer.from(`<edition ${number}>`), noise])] as const;
  });
  const yaml = `title: Pushed\ndescription: A skill.\npublisher: Torture\nunitAmountCents: 0\nversion: "${number}"\n`;
  const skill = `---\nname: ${SLUG}\ndescription: A skill.\n---\n\n<edition ${number}>\n`;
  return [['item.yaml', Buffer.from(yaml)], ['SKILL.md', Buffer.from(skill)], ...files];
}

/** A gzipped tar of files. */
export const pack = (files: readonly (readonly [string, Buffer])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    gzipSync(
      Buffer.concat([
        ...files.flatMap(([path, bytes]) => [
          tarHeader(path, bytes.length, false),
          bytes,
          tarPadding(bytes.length),
        ]),
        TAR_END,
      ]),
      { level: 1 },
    ),
  );

type Answered = { readonly status: number; readonly served: boolean; readonly hash: string };

async function put(
  { url }: Server,
  key: string,
  number: number,
  before: string | null,
): Promise<Answered | null> {
  const condition: Record<string, string> =
    before === null ? { 'If-None-Match': '*' } : { 'If-Match': `"${before}"` };
  try {
    const response = await fetch(`${url}/api/publish/skill/${SLUG}`, {
      method: 'PUT',
      body: pack(folderOf(number)),
      headers: { Authorization: `Bearer ${key}`, ...condition },
    });
    const { served = false, hash = '' } = (await response.json()) as Partial<Answered>;
    return { status: response.status, served, hash };
  } catch {
    return null;
  }
}

async function readHash({ url }: Server, key: string): Promise<string | null> {
  const response = await fetch(`${url}/api/publish/skill/${SLUG}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return response.status === 404 ? null : ((await response.json()) as Answered).hash;
}

/** The faults of the item, which may have one of these numbers. */
async function examine(
  directory: string,
  server: Server,
  numbers: readonly number[],
): Promise<readonly string[]> {
  const faults: string[] = [];
  const pushed = join(directory, 'data/pushed');
  const place = join(pushed, 'skill', SLUG);
  const waiting = existsSync(join(pushed, 'new')) ? readdirSync(join(pushed, 'new')) : [];
  if (waiting.length > 0) faults.push(`${waiting.length} staged folders were left`);
  const response = await fetch(`${server.url}/api/install/${SLUG}`);
  if (!existsSync(place)) {
    if (response.status !== 404) faults.push(`nothing was pushed, and the item answers ${response.status}`);
    return faults;
  }
  const [hash = ''] = readFileSync(join(place, 'current'), 'utf8').split(' ');
  const entries = readdirSync(place).toSorted();
  if (entries.join() !== [hash, 'current'].toSorted().join()) faults.push(`it has ${entries.join(', ')}`);
  const folder = join(place, hash);
  const files = walkItem({ kind: 'skill', folder }).files.map(({ path, executable }) => ({
    path,
    executable,
    sha256: hashFile(join(folder, path)).sha256,
  }));
  if (hashFolder(files, hashOwnFiles({ kind: 'skill', folder })) !== hash)
    faults.push('its folder is not whole');
  const bytes = response.status === 200 ? gunzipSync(await response.bytes()).toString('latin1') : '';
  const served = new Set([...bytes.matchAll(/<edition (\d+)>/g)].map(([, number]) => Number(number)));
  const [number = -1] = served;
  if (served.size !== 1 || !numbers.includes(number))
    faults.push(
      `it serves the numbers ${[...served].join()} (${response.status}), and not one of ${numbers.join()}`,
    );
  if (!readFileSync(join(folder, 'SKILL.md'), 'utf8').includes(`<edition ${number}>`))
    faults.push('it serves another folder than it holds');
  return faults;
}

async function openStall(name: string) {
  const directory = scratch(name);
  await mkdir(join(directory, 'data'));
  writeFiles(
    join(directory, 'content/skills/other'),
    Object.fromEntries(
      folderOf(0).map(([path, bytes]) => [path, bytes.toString('latin1').replace(SLUG, 'other')]),
    ),
  );
  return directory;
}

async function makeKey(directory: string): Promise<string> {
  await runCommand(directory, ['account', 'add', OWNER, '--owner']);
  const { out } = await runCommand(directory, ['key', 'create', OWNER, '--publish', '--terms']);
  return out.trim();
}

/** Runs the rounds of each kind; the rows of the table, and a sentence for each fault. */
export async function torturePushes(
  chance: Chance,
  { kills, disks, pairs, starts }: Readonly<Record<'kills' | 'disks' | 'pairs' | 'starts', number>>,
  say: (text: string) => void,
) {
  const faults: string[] = [];
  const told = (round: string, found: readonly string[]): void => {
    for (const one of found) say(`${round}: ${one}`);
    faults.push(...found.map((one) => `${round}: ${one}`));
  };
  const counts = { answered: 0, cut: 0, full: 0, won: 0, begun: 0 };
  const directory = await openStall('push');
  let server = await startServer(directory);
  const key = await makeKey(directory);
  let [number, usual] = [1, 300];
  const begun = performance.now();
  const first = await put(server, key, number, null);
  if (first?.served !== true) told('first push', [`it was answered ${JSON.stringify(first)}`]);
  usual = performance.now() - begun;
  for (let n = 1; n <= kills; n++) {
    const next = number + 1;
    const answer = put(server, key, next, await readHash(server, key));
    await Bun.sleep(chance.fork(`kill ${n}`).between(0, Math.ceil(usual)));
    server.kill('SIGKILL');
    await server.exited;
    const answered = await answer;
    counts[answered === null ? 'cut' : 'answered'] += 1;
    server = await startServer(directory);
    told(`kill ${n}`, await examine(directory, server, answered?.served ? [next] : [number, next]));
    if ((await readHash(server, key)) === answered?.hash || (await holds(server, next))) number = next;
  }
  for (let n = 1; n <= pairs; n++) {
    const before = await readHash(server, key);
    const answers = await Promise.all([
      put(server, key, number + 1, before),
      put(server, key, number + 2, before),
    ]);
    const winners = answers.flatMap((one, at) =>
      one?.status === 200 && one.served ? [number + 1 + at] : [],
    );
    const statuses = answers
      .map((one) => String(one?.status))
      .toSorted()
      .join();
    told(`pair ${n}`, [
      ...(statuses === '200,412' && winners.length === 1 ? [] : [`it was answered ${statuses}`]),
      ...(await examine(directory, server, winners)),
    ]);
    number = winners[0] ?? number;
    counts.won += winners.length;
  }
  await server.stop();
  for (let n = 1; n <= starts; n++) {
    const planted = plant(directory);
    const starting = launchServer(directory);
    // As soon as the first of them is gone, the start is in the middle of them.
    const part = chance.fork(`start ${n}`).between(1, planted.length - 1);
    let isRunning = true;
    void starting.exited.then(() => (isRunning = false));
    while (existsSync(planted[part]!) && isRunning) await Bun.sleep(0);
    starting.kill('SIGKILL');
    await starting.exited;
    counts.begun += planted.some((file) => existsSync(file)) ? 1 : 0;
    server = await startServer(directory);
    const left = planted.filter((file) => existsSync(file)).length;
    told(`start ${n}`, [
      ...(left === 0 ? [] : [`${left} planted files were left`]),
      ...listEmptyFolders(directory),
      ...(await examine(directory, server, [number])),
    ]);
    await server.stop();
  }
  counts.full = await fillDisks(chance, disks, told);
  const rows = [
    ['pushes cut by a kill', counts.cut],
    ['pushes answered before it', counts.answered],
    ['pairs of which one won', counts.won],
    ['pushes refused by a full disk', counts.full],
    ['first starts killed while they removed what 0.4 kept', counts.begun],
    ['faults', faults.length],
  ];
  return {
    rows: ['| push | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`)],
    faults,
  };
}

const folderOfNow = (directory: string): string => {
  const place = join(directory, 'data/pushed/skill', SLUG);
  return join(place, readFileSync(join(place, 'current'), 'utf8').split(' ')[0]!);
};

/** Plants files as version 0.4 kept them beside the hashed ones; gives their paths, in the order in which they go. */
function plant(directory: string): readonly string[] {
  const names = ['.git/hooks', '.GIT', 'a/.git/objects', 'deep/in/node_modules/one', 'node_modules/two'];
  const paths = names.flatMap((name) => Array.from({ length: 60 }, (_, n) => `${name}/${n}/file`));
  for (const path of paths) {
    const file = join(folderOfNow(directory), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'planted');
  }
  return paths.map((path) => join(folderOfNow(directory), path));
}

const listEmptyFolders = (directory: string): readonly string[] =>
  readdirSync(folderOfNow(directory), { recursive: true, withFileTypes: true })
    .filter((one) => one.isDirectory() && readdirSync(join(one.parentPath, one.name)).length === 0)
    .map(({ name }) => `the folder ${name} is empty`);

const holds = async ({ url }: Server, number: number): Promise<boolean> =>
  gunzipSync(await (await fetch(`${url}/api/install/${SLUG}`)).bytes()).includes(`<edition ${number}>`);

const DISK = 24_000_000;

/** Pushes onto a file system of its own that has less and less room; gives how many were refused. */
async function fillDisks(
  chance: Chance,
  rounds: number,
  told: (round: string, found: readonly string[]) => void,
): Promise<number> {
  let refused = 0;
  const directory = rounds === 0 ? '' : await openStall('push-disk');
  const data = join(directory, 'data');
  if (
    rounds === 0 ||
    Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', data]).exitCode !== 0
  )
    return 0;
  try {
    let server = await startServer(directory);
    const key = await makeKey(directory);
    let number = 1;
    await put(server, key, number, null);
    for (let n = 1; n <= rounds; n++) {
      const room = chance.fork(`disk ${n}`).between(0, 3_000_000) + 8 * 1024 ** 2;
      const { bavail, bsize } = await import('node:fs/promises').then(({ statfs }) => statfs(data));
      writeFileSync(join(data, 'filler'), new Uint8Array(Math.max(0, bavail * bsize - room)));
      const before = await readHash(server, key);
      // The disk fills while the folder arrives.
      const filling = Bun.sleep(chance.fork(`later ${n}`).between(0, 60)).then(() => fillUp(data));
      const [answered] = await Promise.all([put(server, key, number + 1, before), filling]);
      for (const name of readdirSync(data)) if (name.startsWith('filler')) rmSync(join(data, name));
      if (answered?.status !== 200) refused += 1;
      const after = await readHash(server, key);
      const expected = after === before ? [number] : [number + 1];
      if (answered?.served === true && after !== answered.hash)
        told(`disk ${n}`, ['it was answered, and is not there']);
      await server.stop();
      server = await startServer(directory);
      told(`disk ${n}`, await examine(directory, server, expected));
      number = expected[0]!;
    }
    await server.stop();
  } finally {
    Bun.spawnSync(['umount', '-l', data]);
  }
  return refused;
}

function fillUp(data: string): void {
  for (const size of [1_000_000, 64_000, 4096])
    try {
      for (let n = 0; ; n++) writeFileSync(join(data, `filler-${size}-${n}`), new Uint8Array(size));
    } catch {}
}
