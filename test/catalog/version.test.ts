import { expect, test } from 'bun:test';
import { isStayingVersion, satisfying } from '../../src/catalog/version.rule.ts';
import { itemYaml, openStall, skillMd, writeFiles } from '../helpers/harness.ts';

test.each([
  ['1.0.0', true],
  ['1.0.0-beta.2', true],
  ['1.0', false],
  ['v1.0.0', false],
  ['1.0.0+build', false],
  ['1.0.0-a.lock', false],
  ['first', false],
  [null, false],
])('whether the version %j may stay: %j', (version, stays) => {
  expect(isStayingVersion(version)).toBe(stays);
});

test.each([
  ['^1.2.0', ['1.10.0', '1.2.0']],
  ['*', ['2.0.0', '1.10.0', '1.2.0']],
  ['>=2.0.0-0', ['2.0.0', '2.0.0-beta']],
  ['3', []],
  ['no range', []],
])('the versions that satisfy %j, the highest first', (range, expected) => {
  const versions = ['1.2.0', '2.0.0-beta', '1.10.0', '2.0.0'].map((version) => ({ version }));
  expect(satisfying(versions, range).map(({ version }) => version)).toEqual(expected);
});

test('a version stays with the files that were first served under it, also after a renaming', async () => {
  const files = (version: string, body: string, slug = 'heron', more = {}) => ({
    [`skills/${slug}/item.yaml`]: itemYaml({ version, ...more }),
    [`skills/${slug}/SKILL.md`]: skillMd(slug, body),
  });
  const stall = await openStall({ files: files('1.0.0', 'One.\n') });
  const { store } = stall.app.stall;
  const digests: string[] = [];
  const publish = async (next: Record<string, string>): Promise<void> => {
    writeFiles(stall.content, next);
    await stall.app.publish();
    digests.push(stall.app.catalog().editions[0]!.digest);
  };
  await publish({});
  await publish(files('1.0.0', 'Other.\n'));
  await publish(files('1.1.0', 'Other.\n'));
  await publish(files('2', 'Two.\n'));
  await publish(files('1.2.0', 'Three.\n'));
  const [first = '', other = '', , , third = ''] = digests;
  await stall.app.admin.editions.withdraw('heron', '1.1.0');
  const known = () => store.listVersions('skill', 'heron').map(({ version, digest }) => [version, digest]);
  const expected = [
    ['1.0.0', first],
    ['1.1.0', other],
    ['1.2.0', third],
  ];
  expect(known()).toEqual(expected);
  expect(store.listVersions('skill', 'heron').map(({ state }) => state)).toEqual([
    'kept',
    'withdrawn',
    'served',
  ]);
  expect(store.findVersion('skill', 'heron', '1.0.0')).toBe(first);
  expect(store.findVersion('skill', 'heron', '2')).toBeNull();
  await Bun.$`rm -r ${stall.content}/skills/heron`.quiet();
  await publish(files('1.2.0', 'Four.\n', 'egret', { formerly: '[heron]' }));
  expect(store.findVersion('skill', 'egret', '1.2.0')).toBe(third);
  await stall.close();
});
