import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openStore } from '../../src/store.ts';
import { publishOnce } from '../../src/publishing/publishing-session.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import {
  itemYaml,
  openStall,
  skillMd,
  type Stall,
  temporaryDirectory,
  until,
  writeFiles,
} from '../helpers/harness.ts';

const kit = (version: string) => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
});

const isTar = (name: string): boolean => name.endsWith('.tar');

/** The kept bodies, by version. */
async function bodiesOf({ app, data }: Stall): Promise<ReadonlyMap<string, string>> {
  const folder = join(data, 'kept');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const known = app.admin.editions.list('kit');
  return new Map(
    known.flatMap(({ version, tar }) => {
      const { name } = JSON.parse(tar) as { name: string };
      const file = files.find((one) => one.endsWith(`${name}.tar`));
      return file === undefined ? [] : [[version ?? '', join(folder, file)]];
    }),
  );
}

test('the next start deletes bodies of editions that are over, which a killed program left, and no others', async () => {
  const config = { keepEditions: { editions: 3, bytes: 2 ** 31 } };
  const stall = await openStall({ files: kit('1.0'), config, grace: 20 });
  writeFiles(stall.content, kit('1.1'));
  await stall.app.publish();
  const [[, gone = ''] = []] = await bodiesOf(stall);
  const copies = join(stall.directory, 'copies');
  cpSync(join(stall.data, 'kept'), copies, { recursive: true });
  for (const version of ['1.2', '1.3']) {
    writeFiles(stall.content, kit(version));
    await stall.app.publish();
  }
  await stall.app.admin.editions.withdraw('kit', '1.1');
  expect([...(await bodiesOf(stall)).keys()]).toEqual(['1.2']);
  await stall.close();
  // As if the program had been killed before it deleted them.
  cpSync(copies, join(stall.data, 'kept'), { recursive: true });
  // A book under another id has editions of the same names.
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run(`CREATE TEMP TABLE one AS SELECT * FROM editions WHERE version = '1.2'`);
  db.run(`UPDATE one SET item_key = 'former', state = 'gone'`);
  db.run('INSERT INTO editions SELECT * FROM one');
  db.close();
  const unknown = join(stall.data, 'kept/artefacts/ab', `${'ab'.repeat(32)}.tar`);
  mkdirSync(dirname(unknown), { recursive: true });
  writeFileSync(unknown, 'of a newer database');
  expect(existsSync(gone)).toBe(true);
  const next = await openStall({ directory: stall.directory, files: {}, config, grace: 20 });
  await until(() => !existsSync(gone));
  expect([...(await bodiesOf(next)).keys()]).toEqual(['1.2']);
  expect(existsSync(unknown)).toBe(true);
  expect((await next.fetch('/api/install/kit?edition=1.2')).status).toBe(200);
  await next.close();
});

test('a publish without a server deletes nothing that is kept, and the next server keeps what it is told to', async () => {
  const directory = temporaryDirectory();
  const [content, data] = [join(directory, 'content'), join(directory, 'data')];
  for (let n = 0; n < 7; n++) {
    writeFiles(content, kit(`1.${n}`));
    await publishOnce(openStore, { content, data, limits: defaultLimits }, { log: () => {} });
  }
  expect(readdirSync(join(data, 'kept'), { recursive: true, encoding: 'utf8' }).filter(isTar)).toHaveLength(
    6,
  );
  const config = { keepEditions: { editions: 6, bytes: 2 ** 31 } };
  const stall = await openStall({ directory, files: {}, config, grace: 20 });
  await until(async () => (await bodiesOf(stall)).size === 5);
  const states = stall.app.admin.editions.list('kit').map(({ state }) => state);
  expect(states).toEqual(['served', 'kept', 'kept', 'kept', 'kept', 'kept', 'gone']);
  await stall.close();
});
