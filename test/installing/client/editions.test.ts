import { beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type } from '../../platform/cli/type.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../../helpers/harness.ts';

// A busy machine publishes slowly.

const kit = (version: string): Files => ({
  'skills/kit/item.yaml': itemYaml({ version }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  'skills/kit/CHANGELOG.md': `# ${version}\n\nNew in ${version}: \u001b[31mred\n`,
});

const stall = await openStall({ files: kit('1.0') });
for (const version of ['1.1', '1.2']) {
  writeFiles(stall.content, kit(version));
  await stall.app.publish();
}

let target = '';
let environment: Readonly<Record<string, string>> = {};
const say = (...words: string[]) => type(words, environment);
const installed = (): string => readFileSync(join(target, 'kit/SKILL.md'), 'utf8').split('\n').at(-2) ?? '';

beforeEach(() => {
  target = temporaryDirectory();
  environment = { BOOKSTALL_URL: stall.url, BOOKSTALL_HOME: temporaryDirectory() };
});

describe('install SLUG@EDITION', () => {
  test('installs that edition, which update leaves alone', async () => {
    const { code, out } = await say('install', 'kit@1.0', '--dir', target);
    expect([code, out.includes('Installed skill kit 1.0'), installed()]).toEqual([0, true, 'Version 1.0.']);
    const update = await say('update');
    expect([update.code, update.out]).toEqual([0, expect.stringContaining('Pinned: kit 1.0 in')]);
    expect(installed()).toBe('Version 1.0.');
  });

  test('by digest too', async () => {
    const { editions } = (await (await stall.fetch('/api/items/kit/editions')).json()) as {
      editions: readonly { version: string; digest: string }[];
    };
    const digest = editions.find(({ version }) => version === '1.1')?.digest;
    expect((await say('install', `kit@${digest}`, '--dir', target)).code).toBe(0);
    expect(installed()).toBe('Version 1.1.');
  });

  test('with a key is checked by its digest: the files endpoint has the served edition only', async () => {
    const { key } = await stall.reader('ann@example.org', 'kit');
    environment = { ...environment, BOOKSTALL_KEY: key };
    const { code, out } = await say('install', 'kit@1.0', '--dir', target, '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, [{ version: '1.0', checkedBy: 'digest' }]]);
  });

  test.each([
    ['kit@9.9', 1, '"1.2", "1.1", "1.0" can be had'],
    ['kit@', 2, 'name a version after the "@"'],
    ['@1.0', 1, 'Cannot install ""'],
  ])('of %s is refused', async (word, code, sentence) => {
    const said = await say('install', word, '--dir', target);
    expect([said.code, said.err]).toEqual([code, expect.stringContaining(sentence)]);
  });

  test('is moved by update --force', async () => {
    await say('install', 'kit@1.0', '--dir', target);
    expect((await say('update', '--force')).out).toContain('Updated kit 1.0 to 1.2');
    expect(installed()).toBe('Version 1.2.');
    expect((await say('update')).out).toContain('Up to date: kit 1.2');
  });
});

test('update shows the notes of every version it passes over, newest first, safe for a terminal', async () => {
  const other = await openStall({ files: kit('1.0') });
  environment = { ...environment, BOOKSTALL_URL: other.url };
  await say('install', 'kit', '--dir', target);
  for (const version of ['1.1', '1.2']) {
    writeFiles(other.content, kit(version));
    await other.app.publish();
  }
  const { code, out } = await say('update');
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    `Updated kit 1.0 to 1.2 in ${join(target, 'kit')}`,
    '    1.2',
    '    New in 1.2: ?[31mred',
    '    1.1',
    '    New in 1.1: ?[31mred',
    '',
  ]);
  writeFiles(other.content, kit('1.1'));
  await other.app.publish();
  const back = await say('update', '--json');
  expect(JSON.parse(back.out)).toMatchObject([
    {
      state: 'updated',
      version: '1.1',
      notes: [],
      sentence: expect.stringContaining('Took back kit 1.2 to 1.1'),
    },
  ]);
  await other.close();
});

describe('outdated', () => {
  test('lists what has another edition, pinned or not, with the notes in JSON', async () => {
    await say('install', 'kit@1.0', '--dir', target);
    const { code, out } = await say('outdated');
    expect([code, out.split('\n')[1]?.split(/\s+/)]).toEqual([0, ['kit', '1.0', '1.2', 'pinned']]);
    expect(JSON.parse((await say('outdated', '--json')).out)).toEqual([
      {
        slug: 'kit',
        installed: '1.0',
        served: '1.2',
        pinned: true,
        notes: 'New in 1.2: ?[31mred\n\nNew in 1.1: ?[31mred',
        heldBy: null,
      },
    ]);
  });

  test('lists nothing if all is up to date', async () => {
    await say('install', 'kit', '--dir', target);
    expect(await say('outdated')).toEqual({ code: 0, out: '', err: 'Everything is up to date\n' });
    expect((await say('outdated', '--json')).out).toBe('[]\n');
  });
});
