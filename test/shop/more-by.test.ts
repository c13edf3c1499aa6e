import { expect, test } from 'bun:test';
import { itemYaml, openStall, skillMd } from '../helpers/harness.ts';

const book = (name: string, more = {}) => ({
  [`books/${name}/item.yaml`]: itemYaml({
    id: name,
    title: `On ${name}`,
    authors: '[Ada Heron]',
    unitAmountCents: 1400,
    ...more,
  }),
  [`books/${name}/a.md`]: '# A\n',
});
const skill = (name: string, more = {}) => ({
  [`skills/${name}/item.yaml`]: itemYaml({ title: name, unitAmountCents: 900, ...more }),
  [`skills/${name}/SKILL.md`]: skillMd(name, '# Weigh eggs\n\nUse <b onclick="x()">a scale</b>.\n'),
});
const bundle = (slug: string, items: string, cents: number) =>
  `  - slug: ${slug}\n    title: The ${slug}\n    items: [${items}]\n    unitAmountCents: ${cents}\n`;
const stall = await openStall({
  files: {
    ...book('eggs'),
    ...book('nests'),
    ...book('wings', { authors: '[Bob Reed, Ada Heron]' }),
    ...book('plans', { status: 'private' }),
    ...book('drafts', { status: 'draft' }),
    ...book('old', { status: 'archived' }),
    ...book('reeds', { authors: '[Bob Reed]' }),
    ...skill('open-skill', { sample: '[SKILL.md]' }),
    ...skill('closed-skill'),
    'stall.yaml': `name: Herons\nbundles:\n${bundle('pair', 'eggs, nests', 2000)}${bundle('trio', 'eggs, nests, wings', 2900)}${bundle('dear', 'eggs, reeds', 2800)}`,
  },
});
const page = async (path: string, headers = {}) => {
  const html = await (await stall.fetch(path, { headers: { Accept: 'text/html', ...headers } })).text();
  const text = html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
  return { html, text, more: /More by th.*?<\/section>/s.exec(html)?.[0] ?? '' };
};
const titles = (html: string) => new Set([...html.matchAll(/>On (\w+)</g)].map(([, name]) => name));

test('a book’s page names the bundles in which it costs less, and not to whoever has it', async () => {
  const { text, html } = await page('/books/eggs');
  expect(text).toContain('Also in The pair with one other: $20 instead of $28');
  expect(text).toContain('Also in The trio with 2 others: $29 instead of $42');
  expect([html.includes('href="/bundles/pair"'), text.includes('The dear')]).toEqual([true, false]);
  await stall.reader('has@example.org', 'eggs');
  expect((await page('/books/eggs', await stall.signIn('has@example.org'))).text).not.toContain('Also in');
});

test('a book’s page lists more by its authors, of what the visitor may see', async () => {
  expect(titles((await page('/books/eggs')).more)).toEqual(new Set(['nests', 'wings']));
  expect(titles((await page('/books/wings')).more)).toEqual(new Set(['eggs', 'nests', 'reeds']));
  await stall.reader('plans@example.org', 'plans');
  const own = await stall.signIn('plans@example.org');
  expect(titles((await page('/books/eggs', own)).more)).toEqual(new Set(['nests', 'plans', 'wings']));
});

test('a skill’s page shows how SKILL.md begins where it may be read', async () => {
  const open = await page('/skills/open-skill');
  expect(open.html).toMatch(/<section class="extract">.*Weigh eggs.*a scale/s);
  expect([open.html.includes('onclick'), open.text.includes('A skill for tests.')]).toEqual([false, false]);
  expect((await page('/skills/closed-skill')).text).not.toContain('Weigh eggs');
  await stall.reader('skill@example.org', 'closed-skill');
  expect((await page('/skills/closed-skill', await stall.signIn('skill@example.org'))).text).toContain(
    'Weigh eggs',
  );
});
