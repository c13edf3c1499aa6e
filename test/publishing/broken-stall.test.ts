import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Files, openStall, SHELF, writeFiles } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const GOOD: Files = { 'stall.yaml': 'name: The Heron Stall\nawning: "#123456"\n' };

/** Files that have an error, with a part of the sentence that `check` has for it. */
const BROKEN: readonly (readonly [name: string, files: Files, said: string])[] = [
  ['a colour without quotation marks', { 'stall.yaml': 'name: New name\nawning: #123456\n' }, 'awning'],
  ['an open bracket', { 'stall.yaml': 'name: New name\nfeatured: [\n' }, 'Cannot parse line 2'],
  [
    'a bundle of an item that is not there',
    {
      'stall.yaml':
        'name: New name\nbundles: [{slug: pair, title: Pair, items: [free-book, gone], unitAmountCents: 900}]\n',
    },
    'Cannot sell "gone"',
  ],
  [
    'a logo that is not there',
    { 'stall.yaml': 'name: New name\nlogo: logo.svg\n' },
    'Cannot find "logo.svg"',
  ],
  ['a broken mail', { ...GOOD, 'mails/thanks.md': 'Hello' }, 'no mail has this name'],
];

test.each(BROKEN)(
  'with %s, every way to load the content says so in the words of check',
  async (_, files, said) => {
    const { stall, open, send } = await openAdmin({ files: { ...SHELF, ...GOOD } });
    expect(wordsOf((await open('/admin')).html)).not.toContain('stall.yaml:');
    writeFiles(stall.content, files);
    const checked = await type(['check', '--content', stall.content, '--data', stall.data]);
    const sentence = checked.out.split('\n').find((line) => line.includes(said)) ?? '';
    const words = /Cannot .*?(?=\. )/.exec(sentence)?.[0] ?? '';
    expect([checked.code, words]).toEqual([1, expect.stringContaining('Cannot')]);

    const reloaded = await send('/admin/items/reindex');
    expect(reloaded.location).toBe('/admin/items?said=reindexed-with-errors');
    for (const path of ['/admin/items?said=reindexed-with-errors', '/admin']) {
      const shown = wordsOf((await open(path)).html);
      expect([path, shown]).toEqual([path, expect.stringContaining(words)]);
    }
    expect(await (await stall.fetch('/')).text()).toContain('The Heron Stall');
    expect(stall.log.filter(({ event }) => event === 'stall-problem')).not.toEqual([]);

    await stall.close();
    const where = ['--content', stall.content, '--data', stall.data];
    const told = await type(['reindex', ...where]);
    const file = 'mails/thanks.md' in files ? 'mails/thanks.md' : 'stall.yaml';
    expect([told.code, told.out, told.err]).toEqual([
      1,
      expect.stringContaining(words),
      expect.stringContaining(`; ${file} cannot be used`),
    ]);
    const [entry] = JSON.parse((await type(['reindex', '--json', ...where])).out) as { slug: string }[];
    expect(entry).toMatchObject({ kind: 'stall', slug: file });

    // A restart serves the last good file, and tells of the error again.
    const again = await openStall({ directory: stall.directory, files: {} });
    expect(await (await again.fetch('/')).text()).toContain('The Heron Stall');
    expect(again.log.filter(({ event }) => event === 'stall-problem')).not.toEqual([]);
    await again.close();
    const doctor = await type(['doctor', ...where]);
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining(words)]);

    rmSync(join(stall.content, 'mails'), { recursive: true, force: true });
    writeFiles(stall.content, GOOD);
    expect((await type(['reindex', ...where])).code).toBe(0);
  },
);

test('without a last good stall.yaml, keys with errors have their defaults, and the others count', async () => {
  const stall = await openStall({
    files: { ...SHELF, 'stall.yaml': 'name: The Heron Stall\nlanguage: nowhere-at-all\n' },
  });
  const page = await (await stall.fetch('/')).text();
  expect([page.includes('The Heron Stall'), page.includes('<html lang="en"')]).toEqual([true, true]);
  await stall.close();
  const told = await type(['reindex', '--content', stall.content, '--data', stall.data]);
  expect([told.code, told.out]).toEqual([1, expect.stringContaining('stall.yaml: its default is used')]);
});
