// Skills that need each other, published by a real stall.
import { expect, test } from 'bun:test';
import { writePluginManifest } from '../../src/catalog/marketplace.rule.ts';
import { type } from '../platform/cli/type.ts';
import { type Files, itemYaml, openStall, writeFiles } from '../helpers/harness.ts';

/** A skill with these needs; `keys` are those of its item.yaml. */
const needing = (slug: string, needs: string, keys: Readonly<Record<string, string>> = {}): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml({ version: '1.0.0', ...keys }),
  [`skills/${slug}/SKILL.md`]: `---\nname: ${slug}\ndescription: A skill.\nmetadata: {needs: "${needs}"}\n---\n\n${keys['version'] ?? ''}\n`,
});
const plain = (slug: string, keys: Readonly<Record<string, string>> = {}): Files => needing(slug, '', keys);

const circle = (name: string, size: number): Files =>
  Object.assign(
    {},
    ...Array.from({ length: size }, (_, n) => needing(`${name}${n}`, `${name}${(n + 1) % size}`)),
  ) as Files;

async function publish(...all: readonly Files[]) {
  const stall = await openStall({ files: {} });
  let publications = await stall.app.publish();
  for (const files of all) {
    writeFiles(stall.content, files);
    publications = await stall.app.publish();
  }
  const sentences = publications.flatMap(({ slug, problems }) =>
    problems
      .filter(({ severity }) => severity === 'error')
      .map((one) => `${slug}/${one.path}: ${one.sentence}`),
  );
  return { stall, sentences, served: stall.app.catalog().editions.map(({ manifest }) => manifest.slug) };
}

const REFUSED: readonly (readonly [what: string, files: Files, sentence: string])[] = [
  [
    'an unknown item',
    needing('lost', 'nowhere'),
    'lost/SKILL.md: Cannot need "nowhere": no item of this name is served',
  ],
  ['a draft', needing('early', 'draft'), 'since its status is "draft"'],
  ['a private item', needing('open', 'private'), 'since its status is "private"'],
  ['an archived item', needing('late', 'archived'), 'since its status is "archived"'],
  [
    'a range that no version satisfies',
    needing('high', 'tool@^2.0.0'),
    'Cannot need "tool@^2.0.0": its versions are 1.0.0',
  ],
  ['a range of an item whose version is a word', needing('vague', 'word@^2.0.0'), 'its versions are spring'],
  ['itself', needing('self', 'self'), 'it leads back here, self → self'],
  [
    'what needs an unknown item',
    needing('far', 'lost'),
    'Cannot need "lost": no item of this name is served',
  ],
  ['itself along a circle of two', circle('two', 2), 'two0 → two1 → two0'],
  ['itself along a circle of twenty', circle('twenty', 20), '… → twenty0'],
  [
    'needs written with commas',
    needing('comma', 'tool, word'),
    'Cannot read the needs "tool, word": a space stands between two, and no comma',
  ],
];
const NEEDED: Files = Object.assign(
  {},
  ...['draft', 'private', 'archived'].map((status) => plain(status, { status })),
  plain('tool'),
  plain('word', { version: 'spring' }),
) as Files;
const refused = await publish(Object.assign({}, NEEDED, ...REFUSED.map(([, files]) => files)) as Files);

test.each(REFUSED)('a skill that needs %s is not served', (_, files, sentence) => {
  const slugs = new Set(Object.keys(files).map((path) => path.split('/')[1] ?? ''));
  const said = refused.sentences.filter((one) => slugs.has(one.split('/')[0] ?? ''));
  expect(said).toHaveLength(slugs.size);
  expect(said.join('\n')).toContain(sentence);
  expect(refused.served.filter((slug) => slugs.has(slug))).toEqual([]);
});

test('a private skill may need a private one, a draft anything, and a range an earlier version that is kept', async () => {
  const { sentences, served, stall } = await publish(
    { ...plain('tool'), ...plain('secret', { status: 'private' }), ...plain('plan', { status: 'draft' }) },
    plain('tool', { version: '2.0.0' }),
    {
      ...needing('kit', 'tool@^1.0.0'),
      ...needing('inside', 'secret', { status: 'private' }),
      ...needing('idea', 'plan', { status: 'draft' }),
    },
  );
  expect(sentences).toEqual([]);
  expect(served).toEqual(['idea', 'inside', 'kit', 'plan', 'secret', 'tool']);
  const answer = await fetch(`${stall.url}/api/items/kit/editions`);
  expect(await answer.json()).toMatchObject({ editions: [{ state: 'served', needs: ['tool@^1.0.0'] }] });
  const page = await (await fetch(`${stall.url}/skills/kit`)).text();
  expect(page).toMatch(/Needs <a [^>]*href="\/skills\/tool"[^>]*>[^<]*<\/a> <code>\^1\.0\.0<\/code>/);
  const { manifest } = stall.app.catalog().bySlug.get('kit')!;
  expect(JSON.parse(writePluginManifest(manifest, stall.url, '1.0.0'))).toMatchObject({
    dependencies: [{ name: 'tool', version: '^1.0.0' }],
  });
  // `check` judges by the versions that the stall keeps, as publishing does.
  const check = () => type(['check', '--content', stall.content, '--data', stall.data]);
  const fine = await check();
  expect([fine.code, fine.out]).toEqual([0, expect.not.stringContaining('Cannot need')]);
  writeFiles(stall.content, needing('kit', 'tool@^3.0.0'));
  const { code, out } = await check();
  expect(code).toBe(1);
  expect(out).toContain('Cannot need "tool@^3.0.0": its versions are 2.0.0, 1.0.0');
  expect(out).toContain('Cannot serve other files as version "1.0.0"');
  // Each need of the tree is fine, and they do not go together; nor for what needs it.
  const sides = {
    ...needing('left', 'tool@1.x'),
    ...needing('right', 'tool@>=2'),
    ...needing('top', 'tree'),
  };
  writeFiles(stall.content, { ...sides, ...needing('tree', 'left right') });
  const conflict =
    'Cannot install "tree": "right" needs "tool@>=2", and "left" needs "tool@1.x", and no edition is both';
  expect((await check()).out).toContain(conflict);
  const told = (await stall.app.publish()).flatMap(({ problems }) => problems.map((one) => one.sentence));
  expect(told).toEqual(expect.arrayContaining([conflict, conflict.replace('tree', 'top')]));
  expect(stall.app.catalog().editions.map(({ manifest }) => manifest.slug)).not.toContain('top');
});

test('a version that was renamed, with no file changed, satisfies no range any more', async () => {
  const renamed = { 'skills/tool/item.yaml': itemYaml({ version: '1.0.0' }) };
  const { sentences } = await publish(
    { ...plain('tool', { version: '2.0.0' }), ...needing('kit', 'tool@^2.0.0') },
    renamed,
  );
  expect(sentences).toEqual(['kit/SKILL.md: Cannot need "tool@^2.0.0": its versions are 1.0.0']);
});

test('an edition whose range nothing satisfies leaves the last good one served', async () => {
  const { sentences, stall } = await publish(
    { ...needing('kit', 'tool'), ...plain('tool') },
    needing('kit', 'tool@^9.0.0', { version: '2.0.0' }),
  );
  expect(sentences).toEqual(['kit/SKILL.md: Cannot need "tool@^9.0.0": its versions are 1.0.0']);
  expect(stall.app.catalog().bySlug.get('kit')?.manifest.version).toBe('1.0.0');
});

test.each([
  ['of what is needed', 'tool', plain('tool', { version: '1.0.0', license: 'MIT' }), 'tool'],
  ['of what needs', 'kit', needing('kit', 'tool@^1.0.0'), 'kit'],
])('other files under the version %s leave the last good edition served', async (_, slug, files) => {
  const first = { ...needing('kit', 'tool'), ...plain('tool'), ...plain('alone') };
  const changed = { [`skills/${slug}/more.md`]: 'More\n', 'skills/alone/more.md': 'More\n' };
  const { sentences, stall } = await publish(first, { ...files, ...changed });
  const told =
    'Cannot serve other files as version "1.0.0": skills that need each other go by their versions';
  expect(sentences).toEqual([`${slug}/item.yaml: ${told}`]);
  const { out, err } = await type(['check', '--content', stall.content, '--data', stall.data]);
  expect(`${out}${err}`.split(told)).toHaveLength(2);
  expect(stall.app.catalog().bySlug.get(slug)?.files).toHaveLength(1);
  expect(stall.app.catalog().bySlug.get('alone')?.files).toHaveLength(2);
});

test('files under a version that others had before are warned of, also after another version', async () => {
  const { stall } = await publish(plain('tool'), plain('tool', { version: '1.1.0' }));
  writeFiles(stall.content, { ...plain('tool'), 'skills/tool/more.md': 'More\n' });
  const told = 'Other files were served as version "1.0.0" before, and keep its tag';
  for (const _ of [1, 2]) {
    const [{ problems, edition } = {}] = await stall.app.publish();
    expect([problems?.map(({ sentence }) => sentence), edition?.files.length]).toEqual([[told], 2]);
  }
  expect((await type(['check', '--content', stall.content, '--data', stall.data])).out).toContain(told);
});

test('bookstall withdraw asks about the only edition that suits what others need', async () => {
  const { stall } = await publish(
    { ...needing('kit', 'tool@<2'), ...needing('any', 'tool'), ...plain('tool') },
    plain('tool', { version: '1.1.0' }),
    plain('tool', { version: '2.0.0' }),
  );
  await stall.close();
  const withdraw = (version: string, ...flags: readonly string[]) =>
    type(['withdraw', 'tool', version, '--content', stall.content, '--data', stall.data, ...flags]);
  const fine = { code: 0, out: expect.stringContaining('Withdrew') };
  expect(await withdraw('1.0.0')).toMatchObject(fine);
  const sentence =
    'Stopped: "kit" needs "tool@<2", and no other edition is that, and nothing was withdrawn; --yes goes on without this question';
  expect(await withdraw('1.1.0')).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
  expect(await withdraw('1.1.0', '--yes')).toMatchObject(fine);
});
