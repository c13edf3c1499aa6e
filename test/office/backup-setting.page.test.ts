import { describe, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { TAR_END, tarHeader, tarPadding } from '../../src/catalog/archive/tar.ts';
import { totpOf } from '../../src/accounts/totp.rule.ts';
import { HOUR } from '../../src/platform/base/duration.ts';
import { listAudit } from '../../src/platform/store/audit-entry.ts';
import { openStall, PASSWORD, temporaryDirectory, until } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { openAdmin, visitAs, wordsOf } from './visit.ts';

const PATH = '/admin/settings/backups';

/** Adds a book with a picture of so many bytes on the page of a stall. */
async function addBook(
  stall: Awaited<ReturnType<typeof openStall>>,
  cookie: object,
  title: string,
  text = 'Reeds.',
) {
  const body = new FormData();
  body.set('file', new File([`# ${title}\n\n${text}\n`], `${title.toLowerCase()}.md`));
  const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
  const { status } = await stall.fetch('/admin/add', { method: 'POST', headers, body });
  expect(status).toBe(200);
}

const treeOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => !path.startsWith('new') && statSync(join(folder, path)).isFile())
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );

describe('the page of backups', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const { stall, cookie, open, send } = await openAdmin({ files: {}, now: () => now });
  const folder = join(stall.data, 'backups');
  const backups = (): readonly string[] =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((name) => name.endsWith('.db'))
          .toSorted()
      : [];
  const words = async (): Promise<string> => wordsOf((await open(PATH)).html);
  const download = (fields: Readonly<Record<string, string>>) =>
    stall.fetch(`${PATH}/download`, {
      method: 'POST',
      headers: { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
  await addBook(stall, cookie, 'Reeds');

  test('makes one now, and lists it with its items', async () => {
    expect(await words()).toContain('No backup is recorded');
    expect(await words()).toContain('None yet.');
    expect(wordsOf((await send(`${PATH}/make`)).html)).toMatch(
      /Made, read again and found sound: \d+ KB and 1 item\./,
    );
    expect(backups()).toEqual(['bookstall-20261120T120000000Z.db']);
    expect(await words()).toContain('It was read again when it was made, and has not changed since.');
  });

  test('sets how often, which counts at once and without a restart', async () => {
    now += 2 * HOUR;
    expect(await send(PATH, { setting: 'every', value: '1h' })).toMatchObject({ status: 303 });
    await until(() => backups().length === 2);
    expect(await send(PATH, { setting: 'every', value: 'off' })).toMatchObject({ status: 303 });
    now += 2 * HOUR;
    expect(await send(PATH, { setting: 'keep', value: '2' })).toMatchObject({ status: 303 });
    await Bun.sleep(100);
    expect(backups()).toHaveLength(2);
    await send(`${PATH}/make`);
    expect(backups()).toEqual(['bookstall-20261120T140000000Z.db', 'bookstall-20261120T160000000Z.db']);
  });

  test.each([
    ['every', '10s', 'of at least 1m'],
    ['every', 'often', 'write it as 90s, 30m, 24h or 7d'],
    ['keep', '0', 'Cannot keep "0" backups: give a number from 1'],
    ['keep', '-1', 'Cannot keep "-1" backups'],
  ])('refuses %s of %j beside its field', async (setting, value, sentence) => {
    const { status, html } = await send(PATH, { setting, value });
    expect(status).toBe(400);
    const form = html.slice(html.indexOf(`id="${setting}"`)).split('</form>')[0]!;
    expect(wordsOf(form)).toContain(sentence);
    expect(stall.app.stall.config.backup).toMatchObject({ every: null, keep: 2 });
  });

  test('tells why one failed, and that the last is gone', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'in the way');
    const { status, html } = await send(`${PATH}/make`);
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining('Cannot back up to "')]);
    expect(await words()).toContain('The last try failed: Cannot back up to "');
    rmSync(folder);
    await send(`${PATH}/make`);
    expect(await words()).not.toContain('The last try failed');
  });

  test('hands one out for the password alone, names it in the audit log, and restore takes the file', async () => {
    const backup = backups().at(-1) ?? '';
    for (const [fields, sentence] of [
      [{ backup }, 'Type your password'],
      [{ backup, password: 'wrong' }, 'The password is wrong'],
      [{ backup: '../bookstall.db', password: PASSWORD }, 'This backup is not there any more'],
      [
        { backup: 'bookstall-20200101T120000000Z.db', password: PASSWORD },
        'This backup is not there any more',
      ],
    ] as const) {
      const refused = await download(fields);
      expect(refused.headers.get('content-type')).toContain('text/html');
      expect([refused.ok, wordsOf(await refused.text())]).toEqual([false, expect.stringContaining(sentence)]);
    }
    const audit = () =>
      listAudit(stall.app.stall).entries.filter(({ action }) => action === 'backup.download');
    expect(audit()).toEqual([]);
    // A wrong password makes the next one wait.
    await Bun.sleep(1100);
    const sent = await download({ backup, password: PASSWORD });
    expect(sent.headers.get('content-disposition')).toBe(
      `attachment; filename="${backup.replace('.db', '.tar')}"`,
    );
    const tar = join(temporaryDirectory(), 'one.tar');
    await Bun.write(tar, sent);
    expect(audit()).toMatchObject([{ subject: backup, actorEmail: 'owner@example.org' }]);
    const listed = Bun.spawnSync(['tar', '-tf', tar]);
    expect([listed.exitCode, listed.stderr.toString()]).toEqual([0, '']);
    expect(listed.stdout.toString()).toMatch(
      new RegExp(`^${backup}\n${backup}.sha256\n${backup}.files/pushed/book/reeds/`),
    );
    const directory = temporaryDirectory();
    const restored = await type(['restore', tar, '--data', join(directory, 'data')]);
    expect([restored.code, restored.out]).toEqual([
      0,
      expect.stringMatching(/one\.tar\n.*\n.*its checksum matches\n {2}1 pushed item/),
    ]);
    expect(treeOf(join(directory, 'data/pushed'))).toEqual(treeOf(join(stall.data, 'pushed')));
    expect(readFileSync(join(directory, 'data/bookstall.db'))).toEqual(readFileSync(join(folder, backup)));
    expect(readdirSync(join(directory, 'data/pushed/new'))).toEqual([]);
  });

  test('ends when the session does', async () => {
    const [backup = ''] = backups();
    const big = join(folder, `${backup}.files/pushed/book/big/${'0'.repeat(64)}`);
    mkdirSync(big, { recursive: true });
    writeFileSync(join(big, '01.md'), '');
    truncateSync(join(big, '01.md'), 300 * 1024 ** 2);
    const other = await stall.signIn('owner@example.org');
    const response = await stall.fetch(`${PATH}/download`, {
      method: 'POST',
      headers: { ...other, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ backup, password: PASSWORD }),
    });
    const reader = response.body!.getReader();
    await reader.read();
    await visitAs(stall, other).send('/sign-out');
    await Bun.sleep(1500);
    const rest = (async () => {
      for (let total = 0; ;) {
        const { done, value } = await reader.read();
        if (done) return total;
        total += value.length;
      }
    })();
    const total = await rest.catch(() => 'broken');
    expect(total).toBe('broken');
    rmSync(join(folder, `${backup}.files/pushed/book/big`), { recursive: true });
  });
});

test('what a variable sets is shown fixed, and not changed here', async () => {
  const { open, send } = await openAdmin({
    config: { given: { BOOKSTALL_BACKUP_EVERY: '24h' } },
  });
  expect(wordsOf((await open(PATH)).html)).toContain('How often 24h Set by BOOKSTALL_BACKUP_EVERY');
  const { status, html } = await send(PATH, { setting: 'every', value: '1h' });
  expect([status, wordsOf(html)]).toEqual([400, expect.anything()]);
});

test('one that uses a second step types its code too, unless the session sent one just now', async () => {
  let now = Date.now();
  const { stall, cookie, open, send } = await openAdmin({ now: () => now });
  await send(`${PATH}/make`);
  const key = /name="secret" value="([A-Z2-7]{32})"/.exec((await open('/admin/second-step')).html)?.[1] ?? '';
  const code = (): string => totpOf(key, Math.floor(now / 30_000));
  await send('/admin/second-step', { act: 'on', secret: key, code: code(), password: PASSWORD });
  const download = async (fields: Readonly<Record<string, string>>) => {
    const response = await stall.fetch(`${PATH}/download`, {
      method: 'POST',
      headers: { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ password: PASSWORD, ...fields }),
    });
    return response.headers.get('content-type') === 'application/x-tar'
      ? 'tar'
      : wordsOf(await response.text());
  };
  expect(await download({})).toBe('tar');
  now += HOUR;
  expect((await open(PATH)).html).toContain('name="code"');
  expect(await download({})).toContain('Cannot do it without a code of your app');
  expect(await download({ code: code() })).toBe('tar');
});

describe('a tar that the office did not make', async () => {
  const { stall, send } = await openAdmin();
  await send(`${PATH}/make`);
  const folder = join(stall.data, 'backups');
  const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? '';
  const database = readFileSync(join(folder, name));
  const entry = (path: string, bytes: Uint8Array | string, change: (header: Buffer) => void = () => {}) => {
    const content = Buffer.from(bytes as string);
    const header = Buffer.from(tarHeader(path, content.length, false));
    change(header);
    return Buffer.concat([header, content, tarPadding(content.length)]);
  };
  const typed = (type: string) => (header: Buffer) => {
    header.write(type, 156, 'latin1');
    header.fill(' ', 148, 156);
    const sum = header.reduce((all, byte) => all + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  };
  const whole = Buffer.concat([entry(name, database), TAR_END]);

  test.each<[string, Buffer, string]>([
    ['cut off in the database', whole.subarray(0, 9000), 'it ends too early'],
    ['cut off at its end', whole.subarray(0, -600), 'it ends too early'],
    ['empty', Buffer.alloc(0), 'it ends too early'],
    ['of nothing', Buffer.from(TAR_END), 'it holds no file'],
    [
      'of a path that leads out',
      Buffer.concat([entry(name, database), entry(`${name}.files/../evil`, 'x'), TAR_END]),
      'which no backup does',
    ],
    [
      'of an absolute path',
      Buffer.concat([entry(name, database), entry('/tmp/evil', 'x'), TAR_END]),
      'which no backup does',
    ],
    [
      'of another first file',
      Buffer.concat([entry('../bookstall.db', database), TAR_END]),
      'which no backup does',
    ],
    [
      'of a key',
      Buffer.concat([entry(name, database), entry(`${name}.files/secrets.key`, 'x'), TAR_END]),
      'which no backup does',
    ],
    [
      'of an item that leads out',
      Buffer.concat([
        entry(name, database),
        entry(`${name}.files/pushed/book/a/${'0'.repeat(64)}/../../x`, 'x'),
        TAR_END,
      ]),
      'which no backup does',
    ],
    [
      'of a symbolic link',
      Buffer.concat([entry(name, database), entry(`${name}.sha256`, '', typed('2')), TAR_END]),
      'is a symbolic link',
    ],
    [
      'of a hard link',
      Buffer.concat([entry(name, database), entry(`${name}.sha256`, '', typed('1')), TAR_END]),
      'is a hard link',
    ],
    [
      'of a file twice',
      Buffer.concat([entry(name, database), entry(name, database), TAR_END]),
      'it holds a file twice',
    ],
    [
      'of a database that is none',
      Buffer.concat([entry(name, 'x'.repeat(5000)), TAR_END]),
      'Cannot restore "',
    ],
  ])('%s is refused, and nothing is left', async (_, bytes, sentence) => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'one.tar'), bytes);
    const { code, err } = await type([
      'restore',
      join(directory, 'one.tar'),
      '--data',
      join(directory, 'data'),
    ]);
    expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
    expect(err).not.toContain('pushed/new');
    const left = existsSync(join(directory, 'data')) ? treeOf(join(directory, 'data')) : {};
    expect(Object.keys(left).filter((path) => !path.endsWith('.lock'))).toEqual([]);
    expect(readdirSync(directory).toSorted()).toEqual(['data', 'one.tar']);
  });

  test('whole is restored', async () => {
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'one.tar'), whole);
    expect(
      (await type(['restore', join(directory, 'one.tar'), '--data', join(directory, 'data')])).code,
    ).toBe(0);
  });
});
