import { describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { TAR_END, tarHeader, tarPadding } from '../../src/catalog/archive/tar.ts';
import { type } from '../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';

/** A gzipped tar; scripts are executable. */
function pack(files: Files): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.from(content as string);
    return [tarHeader(path, bytes.length, path.endsWith('.sh')), bytes, tarPadding(bytes.length)];
  });
  return new Uint8Array(gzipSync(Buffer.concat([...parts, TAR_END])));
}

const BOOK: Files = {
  'item.yaml': itemYaml({ id: 'reed-id', title: 'Reeds' }),
  '01.md': '# Reeds\n\nThe first text.\n',
  'pictures/ä b.bin': 'x'.repeat(100_000),
};
const SKILL: Files = {
  'item.yaml': itemYaml({}),
  'SKILL.md': skillMd('tally'),
  'run.sh': '#!/bin/sh\necho hello\n',
};

/** A stall with a book and a skill that were pushed. */
async function openPushed() {
  const stall = await openStall({ files: {} });
  await stall.app.admin.accounts.add('owner@example.org', true);
  const words = ['key', 'create', 'owner@example.org', '--publish', '--terms', '--data', stall.data];
  const key = (await type(words)).out.trim();
  const push = async (name: string, files: Files, hash?: string) => {
    const match: object = hash === undefined ? { 'If-None-Match': '*' } : { 'If-Match': `"${hash}"` };
    const response = await stall.fetch(`/api/publish/${name}`, {
      method: 'PUT',
      body: pack(files),
      headers: { Authorization: `Bearer ${key}`, ...match },
    });
    const answer = (await response.json()) as { readonly hash: string };
    expect({ status: response.status, answer }).toMatchObject({ status: 200, answer: { served: true } });
    return answer.hash;
  };
  const hash = await push('book/reeds', BOOK);
  await push('skill/tally', SKILL);
  return { ...stall, push, hash };
}

/** Every file below a folder by its path: whether it is executable, and its bytes. */
const treeOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('new') && statSync(join(folder, path)).isFile())
      .toSorted()
      .map((path) => {
        const file = join(folder, path);
        return [path, `${statSync(file).mode & 0o100} ${readFileSync(file, 'latin1')}`];
      }),
  );

const backUp = async (data: string, to: string): Promise<string> => {
  const { code, out } = await type(['backup', to, '--data', data]);
  expect({ code, out }).toMatchObject({ code: 0 });
  return /^Backed up to (.*)$/m.exec(out)?.[1] ?? '';
};

const restore = (file: string, data: string, ...flags: string[]) =>
  type(['restore', file, '--data', data, ...flags]);

describe('a backup of pushed items', async () => {
  const stall = await openPushed();
  const file = await backUp(stall.data, join(temporaryDirectory(), 'one.db'));

  test('gives them back bit for bit, to a directory that serves them', async () => {
    const directory = temporaryDirectory();
    const { code, out } = await restore(file, join(directory, 'data'));
    expect([code, out]).toEqual([0, expect.stringContaining('2 pushed items, proven by their hashes')]);
    expect(treeOf(join(directory, 'data/pushed'))).toEqual(treeOf(join(stall.data, 'pushed')));
    const restored = await openStall({ files: {}, directory });
    expect((await restored.fetch('/skills/tally')).status).toBe(200);
    await restored.close();
  });

  test('has the folder to itself: its owner alone may enter', () => {
    expect(statSync(`${file}.files`).mode & 0o777).toBe(0o700);
    expect(existsSync(`${file}.unfinished-${process.pid}-files`)).toBe(false);
  });

  test('has nothing of them read again at the next publish', async () => {
    const hashedAt = () =>
      stall.app
        .catalog()
        .bySlug.get('reeds')
        ?.files.map(({ stamp }) => stamp.hashedAt) ?? [];
    // A file counts as settled two seconds after it was written.
    await Bun.sleep(2100);
    await stall.app.publish();
    const before = hashedAt();
    await backUp(stall.data, join(temporaryDirectory(), 'three.db'));
    await stall.app.publish();
    expect(hashedAt()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test('is missed by the doctor if its folder is gone', async () => {
    const copy = await backUp(stall.data, join(temporaryDirectory(), 'two.db'));
    const doctor = async () =>
      (await type(['doctor', '--data', stall.data, '--content', stall.content])).out.replaceAll(/\s+/g, ' ');
    expect(await doctor()).toMatch(/ok backup Made at \S+, \S+ KB with 2 pushed items: /);
    rmSync(`${copy}.files`, { recursive: true });
    expect(await doctor()).toContain(`fail backup The last backup lacks the folder "${copy}.files"`);
  });

  test('takes no room a second time on the same disk, nor on another', async () => {
    for (const folder of [
      temporaryDirectory(),
      existsSync('/dev/shm') ? `/dev/shm/b-${crypto.randomUUID()}` : '',
    ]) {
      if (folder === '') continue;
      const made = [await backUp(stall.data, `${folder}/`), await backUp(stall.data, `${folder}/`)];
      const inodes = made.map(
        (one) => statSync(join(`${one}.files/pushed/book/reeds`, stall.hash, '01.md')).ino,
      );
      expect(new Set(inodes).size).toBe(1);
      expect(treeOf(`${made[1]}.files/pushed`)).toEqual(treeOf(join(stall.data, 'pushed')));
      rmSync(folder, { recursive: true });
    }
  });

  test('goes with its database when that is the oldest, and so does a folder that was left alone', async () => {
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'bookstall-20250101T000000000Z.db.files'));
    const keep = (await type(['backup', folder, '--keep', '1', '--data', stall.data])).out;
    expect(keep).toContain('removed bookstall-20250101T000000000Z.db');
    const newer = await backUp(stall.data, `${folder}/`);
    expect((await type(['backup', folder, '--keep', '1', '--data', stall.data])).code).toBe(0);
    expect(existsSync(`${newer}.files`)).toBe(false);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  test.each<[string, (item: string, hash: string) => void]>([
    ['a changed byte', (item, hash) => appendFileSync(join(item, hash, '01.md'), 'x')],
    ['a file more', (item, hash) => writeFileSync(join(item, hash, 'more.md'), 'x')],
    ['a file less', (item, hash) => rmSync(join(item, hash, '01.md'))],
    [
      'a link in place of a file',
      (item, hash) => {
        rmSync(join(item, hash, '01.md'));
        symlinkSync('/etc/passwd', join(item, hash, '01.md'));
      },
    ],
    [
      'a link in place of a folder',
      (item, hash) => {
        renameSync(join(item, hash), join(item, 'other'));
        symlinkSync('other', join(item, hash));
      },
    ],
    ['no state', (item) => rmSync(join(item, 'current'))],
    [
      'a state that leads out',
      (item, hash) => writeFileSync(join(item, 'current'), `../../${hash} ${hash}\n`),
    ],
    ['a repository of git', (item, hash) => writeFiles(join(item, hash), { '.git/config': '[core]\n' })],
  ])('with %s is refused by name, and nothing is changed', async (_, damage) => {
    const copy = join(temporaryDirectory(), 'one.db');
    for (const end of ['', '.sha256', '.files'])
      cpSync(`${file}${end}`, `${copy}${end}`, { recursive: true });
    damage(`${copy}.files/pushed/book/reeds`, stall.hash);
    const data = join(temporaryDirectory(), 'data');
    const { code, err } = await restore(copy, data);
    expect([code, err]).toEqual([1, expect.stringContaining('/book/reeds": this pushed item is damaged')]);
    expect(existsSync(join(data, 'bookstall.db'))).toBe(false);
    expect(treeOf(join(data, 'pushed'))).toEqual({});
  });

  test('takes nothing from folders of other names, and nothing through a link', async () => {
    const copy = join(temporaryDirectory(), 'one.db');
    for (const end of ['', '.sha256', '.files'])
      cpSync(`${file}${end}`, `${copy}${end}`, { recursive: true });
    const secret = join(temporaryDirectory(), 'secret');
    writeFileSync(secret, 'secret');
    writeFiles(`${copy}.files`, {
      'secrets.key': 'x',
      'pushed/tool/x/current': 'x',
      'pushed/book/A B/current': 'x',
    });
    mkdirSync(`${copy}.files/editions/book`, { recursive: true });
    symlinkSync(secret, `${copy}.files/editions/book/a.json`);
    symlinkSync(`${copy}.files/pushed/book/reeds`, `${copy}.files/pushed/book/linked`);
    const data = join(temporaryDirectory(), 'data');
    expect((await restore(copy, data)).code).toBe(0);
    expect(existsSync(join(data, 'secrets.key'))).toBe(false);
    expect(existsSync(join(data, 'editions'))).toBe(false);
    expect(readdirSync(join(data, 'pushed')).toSorted()).toEqual(['book', 'new', 'skill']);
    expect(readdirSync(join(data, 'pushed/book'))).toEqual(['reeds']);
  });
});

test('a restore with --replace loses nothing: what it replaces is a backup itself', async () => {
  const stall = await openPushed();
  const file = await backUp(stall.data, join(temporaryDirectory(), 'one.db'));
  const before = treeOf(join(stall.data, 'pushed'));
  await stall.push('book/reeds', { ...BOOK, '01.md': '# Reeds\n\nThe second text.\n' }, stall.hash);
  await stall.push('book/late', { ...BOOK, 'item.yaml': itemYaml({ id: 'late', title: 'Late' }) });
  const after = treeOf(join(stall.data, 'pushed'));
  await stall.close();
  const { code, out } = await restore(file, stall.data, '--replace');
  const kept = /the database before is kept as (.*), items that were replaced in (.*)\.files$/m.exec(out);
  expect([code, kept?.[1]]).toEqual([0, kept?.[2] ?? 'none']);
  const present = treeOf(join(stall.data, 'pushed'));
  expect(present).toMatchObject(before);
  expect(Object.keys(present).filter((path) => path.startsWith('book/late'))).toHaveLength(4);
  expect((await restore(kept?.[1] ?? '', stall.data, '--replace')).code).toBe(0);
  expect(treeOf(join(stall.data, 'pushed'))).toEqual(after);
});

test('a restore without --replace leaves an item that is there as it is, and says so', async () => {
  const stall = await openPushed();
  const file = await backUp(stall.data, join(temporaryDirectory(), 'one.db'));
  await stall.push('book/reeds', { ...BOOK, '01.md': '# Reeds\n\nThe second text.\n' }, stall.hash);
  const after = treeOf(join(stall.data, 'pushed'));
  await stall.close();
  rmSync(join(stall.data, 'bookstall.db'));
  const { code, out } = await restore(file, stall.data);
  expect([code, out]).toEqual([0, expect.stringContaining('left as they are, without --replace: reeds\n')]);
  expect(treeOf(join(stall.data, 'pushed'))).toEqual(after);
});

test('each backup amid pushes holds one whole state of the item', async () => {
  const stall = await openPushed();
  const folder = temporaryDirectory();
  let isPushing = true;
  let count = 0;
  const pushing = (async () => {
    for (let hash = stall.hash; isPushing; count++)
      hash = await stall.push('book/reeds', { ...BOOK, '01.md': `# Reeds\n\nText ${count}.\n` }, hash);
  })();
  const files: string[] = [];
  for (let n = 0; n < 5; n++) files.push(await backUp(stall.data, join(folder, `${n}.db`)));
  isPushing = false;
  await pushing;
  expect(count).toBeGreaterThan(1);
  for (const file of files) {
    const { code, out } = await restore(file, join(temporaryDirectory(), 'data'));
    expect([code, out]).toEqual([0, expect.stringContaining('2 pushed items')]);
  }
});

test('the key of secrets is in no backup', async () => {
  const stall = await openPushed();
  await stall.app.stall.settings.save('command', 'mail', {
    secrets: { 'mail.password': 'a secret password' },
  });
  const key = readFileSync(join(stall.data, 'secrets.key'));
  const folder = temporaryDirectory();
  await backUp(stall.data, `${folder}/`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.includes('secret'))).toEqual([]);
  for (const name of names.filter((one) => statSync(join(folder, one)).isFile())) {
    const bytes = readFileSync(join(folder, name));
    for (const form of [key, key.toString().trim(), 'a secret password'])
      expect(bytes.includes(form)).toBe(false);
  }
});
