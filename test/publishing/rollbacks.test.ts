import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { inDirectory, run } from '../catalog/archive/readers.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  type Stall,
  until,
  writeFiles,
} from '../helpers/harness.ts';

const kit = (version: string, more: Readonly<Record<string, string | number>> = {}): Files => ({
  'skills/kit/item.yaml': itemYaml({ version, ...more }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  'skills/kit/scripts/run.sh': `#!/bin/sh\necho ${version}\n`,
});

async function publish(stall: Stall, files: Files): Promise<readonly string[]> {
  writeFiles(stall.content, files);
  return (await stall.app.publish()).flatMap(({ problems }) => problems.map(({ code }) => code));
}

/** A stall that served each version and now serves the last one. */
async function openHistory(...versions: readonly string[]): Promise<Stall> {
  const stall = await openStall({ files: kit(versions[0] ?? '1.0'), grace: 20 });
  for (const version of versions.slice(1)) await publish(stall, kit(version));
  return stall;
}

async function rollBack(stall: Stall, edition: string): Promise<readonly string[]> {
  await stall.app.admin.editions.rollBack('kit', edition);
  return publish(stall, {});
}

/** SKILL.md and the record as they are installed, or the status. */
async function installed(stall: Stall, edition?: string) {
  const query = edition === undefined ? '' : `?edition=${edition}`;
  const response = await stall.fetch(`/api/install/kit${query}`);
  if (!response.ok) return response.status;
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.tar.gz'), await response.bytes());
    await run(['tar', '-xzf', 'a.tar.gz'], directory);
    const record = (await Bun.file(join(directory, 'kit/.svc-install')).json()) as { version: string };
    const text = await Bun.file(join(directory, 'kit/SKILL.md')).text();
    return `${record.version}: ${/Version .*$/m.exec(text)?.[0]}`;
  });
}

const served = (version: string): string => `${version}: Version ${version}.`;

const states = async (stall: Stall): Promise<readonly string[]> =>
  stall.app.admin.editions.list('kit').map(({ version, state }) => `${version} ${state}`);

describe('an item that was rolled back', () => {
  test('serves the kept edition, and says so', async () => {
    const stall = await openHistory('1.0', '1.1', '1.2');
    const before = stall.app.catalog().bySlug.get('kit');
    expect(await rollBack(stall, '1.1')).toEqual(['rolled-back']);
    expect(await installed(stall)).toBe(served('1.1'));
    expect(await states(stall)).toEqual(['1.2 kept', '1.1 served', '1.0 kept']);
    expect([await installed(stall, '1.2'), await installed(stall, '1.0')]).toEqual([
      served('1.2'),
      served('1.0'),
    ]);
    expect(before?.manifest.version).toBe('1.2');
    const { files } = stall.app.catalog().bySlug.get('kit') ?? { files: [] };
    expect(files.map(({ path, executable }) => [path, executable])).toEqual([
      ['SKILL.md', false],
      ['scripts/run.sh', true],
    ]);
    await stall.close();
  });

  test('gives price and texts of today, language and sample of the edition', async () => {
    const stall = await openStall({ files: kit('1.0', { language: 'fr', sample: '[scripts/run.sh]' }) });
    await publish(stall, kit('1.1', { language: 'de', title: 'Nouveau', unitAmountCents: 500 }));
    await rollBack(stall, '1.0');
    expect(stall.app.catalog().bySlug.get('kit')?.manifest).toMatchObject({
      version: '1.0',
      language: 'fr',
      sample: ['scripts/run.sh'],
      title: 'Nouveau',
      unitAmountCents: 500,
    });
    await publish(stall, { 'skills/kit/item.yaml': itemYaml({ version: '1.1', unitAmountCents: 700 }) });
    expect(stall.app.catalog().bySlug.get('kit')?.manifest).toMatchObject({
      version: '1.0',
      unitAmountCents: 700,
    });
    await stall.close();
  });

  test('stays so over restarts and broken folders, until a good folder has other files', async () => {
    const first = await openHistory('1.0', '1.1');
    await rollBack(first, '1.0');
    await first.close();
    const stall = await openStall({ directory: first.directory, files: {} });
    expect(await installed(stall)).toBe(served('1.0'));
    await publish(stall, { 'skills/kit/item.yaml': 'title: [' });
    expect(await installed(stall)).toBe(served('1.0'));
    expect(await publish(stall, kit('1.2'))).toEqual([]);
    expect(await installed(stall)).toBe(served('1.2'));
    expect(await publish(stall, kit('1.1'))).toEqual([]);
    expect(await installed(stall)).toBe(served('1.1'));
    await stall.close();
  });

  test('serves it without a content directory too', async () => {
    const first = await openHistory('1.0', '1.1');
    await rollBack(first, '1.0');
    await first.close();
    rmSync(join(first.content, 'skills'), { recursive: true });
    const stall = await openStall({ directory: first.directory, files: {} });
    expect(await installed(stall)).toBe(served('1.0'));
    await stall.close();
  });

  test('has a broken artefact made again from the kept archive', async () => {
    const stall = await openHistory('1.0', '1.1');
    await rollBack(stall, '1.0');
    rmSync(join(stall.data, 'artefacts'), { recursive: true });
    expect(await installed(stall)).toBe(served('1.0'));
    await stall.close();
  });

  test.each([
    ['served now', '1.1', 'Cannot roll "kit" back to "1.1": it is served already'],
    ['unknown', '9', 'Cannot find the edition "9" of "kit"; "bookstall editions kit" lists them'],
  ])('is refused for an edition that is %s', async (_, edition, sentence) => {
    const stall = await openHistory('1.0', '1.1');
    await expect(stall.app.admin.editions.rollBack('kit', edition)).rejects.toThrow(sentence);
    await stall.close();
  });

  test('keeps what it served if the kept archive is damaged, and says so once', async () => {
    const stall = await openHistory('1.0', '1.1');
    const kept = join(stall.data, 'kept');
    const [body = ''] = readdirSync(kept, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.tar'),
    );
    truncateSync(join(kept, body), 20);
    expect(await rollBack(stall, '1.0')).toEqual(['cannot-roll-back']);
    expect(await installed(stall)).toBe(served('1.1'));
    expect(await publish(stall, {})).toEqual([]);
    await stall.close();
  });
});

test('a rollback to what the folder becomes before the next publish is over', async () => {
  const stall = await openHistory('1.0', '1.1');
  await stall.app.admin.editions.rollBack('kit', '1.0');
  expect(await publish(stall, kit('1.0'))).toEqual([]);
  expect(await installed(stall)).toBe(served('1.0'));
  await stall.close();
});

describe('a withdrawn edition', () => {
  test('is gone for all, its archives too, and is not listed', async () => {
    const stall = await openHistory('1.0', '1.1');
    const bad = stall.app.catalog().bySlug.get('kit');
    await rollBack(stall, '1.0');
    await stall.app.admin.editions.withdraw('kit', '1.1');
    await publish(stall, {});
    expect([await installed(stall, '1.1'), await installed(stall)]).toEqual([410, served('1.0')]);
    const listed = await (await stall.fetch('/api/items/kit/editions')).json();
    expect(JSON.stringify(listed)).not.toContain('"1.1"');
    const name = bad?.artefacts.tar?.name ?? '';
    for (const folder of ['artefacts', 'kept'])
      await until(() => !existsSync(join(stall.data, folder, name.slice(0, 2), `${name}.tar`)));
    await stall.close();
  });

  test('is not served again when its files come back, after a restart either', async () => {
    const first = await openHistory('1.0', '1.1');
    await first.app.admin.editions.withdraw('kit', '1.0');
    expect(await publish(first, kit('1.0'))).toEqual(['withdrawn']);
    expect(await installed(first)).toBe(served('1.1'));
    await first.close();
    const stall = await openStall({ directory: first.directory, files: {} });
    expect(await installed(stall)).toBe(served('1.1'));
    expect(await installed(stall, '1.0')).toBe(410);
    await stall.close();
  });

  test('stays hidden behind a rollback after a restart, with and without content', async () => {
    const first = await openHistory('1.0', '1.1');
    await rollBack(first, '1.0');
    await first.app.admin.editions.withdraw('kit', '1.1');
    await publish(first, {});
    await first.close();
    const second = await openStall({ directory: first.directory, files: {} });
    expect(await installed(second)).toBe(served('1.0'));
    await second.close();
    rmSync(join(first.content, 'skills'), { recursive: true });
    const third = await openStall({ directory: first.directory, files: {} });
    expect(await installed(third)).toBe(served('1.0'));
    await third.close();
  });

  test('does not end a rollback when its files come back', async () => {
    const stall = await openHistory('1.0', '1.1', '1.2');
    await rollBack(stall, '1.0');
    await stall.app.admin.editions.withdraw('kit', '1.1');
    await publish(stall, kit('1.1'));
    expect(await installed(stall)).toBe(served('1.0'));
    await stall.close();
  });

  test('is not served either when the archive that was rolled back to is lost', async () => {
    const first = await openHistory('1.0', '1.1');
    await rollBack(first, '1.0');
    await first.app.admin.editions.withdraw('kit', '1.1');
    await publish(first, {});
    await first.close();
    for (const folder of ['artefacts', 'kept'])
      rmSync(join(first.data, folder), { recursive: true, force: true });
    const stall = await openStall({ directory: first.directory, files: {} });
    expect(await installed(stall)).toBe(404);
    expect(stall.app.catalog().bySlug.has('kit')).toBeFalse();
    await stall.close();
  });

  test('cannot be the served one, nor be rolled back to', async () => {
    const stall = await openHistory('1.0', '1.1');
    await expect(stall.app.admin.editions.withdraw('kit', '1.1')).rejects.toThrow(
      'it is served; roll back to another',
    );
    await stall.app.admin.editions.withdraw('kit', '1.0');
    await expect(stall.app.admin.editions.rollBack('kit', '1.0')).rejects.toThrow('it was withdrawn');
    await stall.close();
  });
});
