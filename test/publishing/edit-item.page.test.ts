import { expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { Glob } from 'bun';
import { join } from 'node:path';
import { itemYaml, SHELF, skillMd, writeFiles } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const { stall, open, send, cookie } = await openAdmin({
  files: { ...SHELF, 'stall.yaml': 'defaults: {publisher: Quince Press, language: en}\n' },
});
const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };

type Sent = Readonly<Record<string, string | readonly string[] | File>>;

async function post(path: string, fields: Sent) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? (value as string[]) : [value as string | File])
      body.append(name, one);
  const answer = await stall.fetch(path, { method: 'POST', headers, body, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

const edit = (slug: string): string => `/admin/items/${slug}/edit`;
const hashOf = async (slug: string): Promise<string> =>
  /name="hash" value="([0-9a-f]{64})"/.exec((await open(edit(slug))).html)?.[1] ?? '';
const save = async (slug: string, fields: Sent) => post(edit(slug), { hash: await hashOf(slug), ...fields });
const manifestOf = (slug: string) => {
  const edition = stall.app.stall.catalog().bySlug.get(slug)!;
  return (edition.draft ?? edition).manifest;
};
const fileOf = (slug: string, path: string): string =>
  join(stall.data, [...new Glob(`pushed/*/${slug}/**/${path}`).scanSync(stall.data)][0]!);
const yamlOf = (slug: string): string => readFileSync(fileOf(slug, 'item.yaml'), 'utf8');

async function add(slug: string): Promise<void> {
  const body = '# One\n\nText.\n';
  const { status } = await post('/admin/add', { slug, file: new File([body], `${slug}.md`) });
  expect(status).toBe(303);
}

await add('herons');

test.each([
  ['title', 'Herons', { title: 'Herons' }],
  ['description', 'Of\r\n\r\n*birds*.', { description: 'Of\n\n*birds*.' }],
  ['language', 'pt-br', { language: 'pt-BR' }],
  ['tags', 'birds\r\n\r\n  water ', { tags: ['birds', 'water'] }],
  ['publisher', 'Reed Press', { publisher: 'Reed Press' }],
  ['contact', 'ann@example.org', { contact: 'ann@example.org' }],
  ['price', '19.50', { unitAmountCents: 1950 }],
  ['suggested', '29', { suggestedAmountCents: 2900 }],
  ['currency', 'EUR', { currency: 'eur' }],
  ['guarantee', 'Your money back', { guarantee: 'Your money back' }],
  ['license', 'CC-BY-4.0', { license: 'CC-BY-4.0' }],
  ['checkoutUrl', 'https://pay.example/herons', { checkoutUrl: 'https://pay.example/herons' }],
  ['stripe', 'plink_1Ab\r\nprice_2', { sell: { stripe: ['plink_1Ab', 'price_2'] } }],
  ['gumroad', 'abc', { sell: { stripe: ['plink_1Ab', 'price_2'], gumroad: ['abc'] } }],
  ['stripe', '', { sell: { stripe: [], gumroad: ['abc'] } }],
  ['gumroad', '', { sell: null }],
  ['math', 'true', { math: true }],
  ['version', '1.10', { version: '1.10' }],
  ['changes', 'A **new** part.', { changes: 'A **new** part.' }],
  ['status', 'announced', { status: 'announced' }],
  ['expected', 'spring 2027', { expected: 'spring 2027' }],
  ['progress', '60', { progress: 60 }],
  ['authors', 'Ann Heron\r\nBo Reed', { authors: [person('Ann Heron'), person('Bo Reed')] }],
  ['expected', '', { expected: null }],
  ['publisher', '', { publisher: 'Quince Press' }],
])('the field %s with %j is written, and shown again', async (name, typed, values) => {
  expect((await save('herons', { [name]: typed })).status).toBe(303);
  expect(manifestOf('herons')).toMatchObject(values);
  const { html } = await open(edit('herons'));
  const shown = html.slice(html.indexOf(`name="${name}"`)).split('</div>')[0];
  for (const line of typed.split(/\s*\r\n\s*/))
    expect(shown?.toLowerCase()).toContain(line.trim().toLowerCase());
});

function person(name: string, more: { about?: string; url?: string } = {}) {
  return { name, about: null, url: null, ...more };
}

test('an author keeps what is said of them, also when the name is corrected', async () => {
  const about = { 'author-name': ['Ann Heron', 'Bo Reed'], 'author-about': ['Lives by *water*.', ''] };
  const said = { ...about, 'author-url': ['https://ann.example', ''] };
  await save('herons', { authors: 'Ann Heron\nBo Reed', ...said });
  const ann = { about: 'Lives by *water*.', url: 'https://ann.example' };
  expect(manifestOf('herons').authors).toEqual([person('Ann Heron', ann), person('Bo Reed')]);
  await save('herons', { authors: 'Bo Reed\nAnn Heron\nCy Rush', ...said });
  expect(manifestOf('herons').authors).toEqual([
    person('Bo Reed'),
    person('Ann Heron', ann),
    person('Cy Rush'),
  ]);
  const three = {
    'author-name': ['Bo Reed', 'Ann Heron', 'Cy Rush'],
    'author-about': ['', 'Lives by *water*.', ''],
  };
  await save('herons', {
    authors: 'Bo Reed\nAnne Heron\nCy Rush',
    ...three,
    'author-url': ['', 'https://ann.example', ''],
  });
  expect(manifestOf('herons').authors[1]).toEqual(person('Anne Heron', ann));
});

test('praise is added, changed and taken away', async () => {
  const praise = (quote: string[], by: string[], url: string[]) =>
    save('herons', { title: 'Herons', 'praise-quote': quote, 'praise-by': by, 'praise-url': url });
  await praise(['Read it.', ''], ['Dee', ''], ['https://dee.example', '']);
  expect(manifestOf('herons').praise).toEqual([{ quote: 'Read it.', by: 'Dee', url: 'https://dee.example' }]);
  const refused = await praise(['Read it.', 'Twice.'], ['Dee', ''], ['', '']);
  expect([refused.status, wordsOf(refused.html)]).toEqual([400, expect.stringContaining('"praise.by"')]);
  expect(refused.html).toContain('Twice.');
  await praise(['', ''], ['', ''], ['', '']);
  expect(manifestOf('herons').praise).toEqual([]);
});

test('what a form does not change stays as it was written, with comments and order', async () => {
  await add('egrets');
  const before = `# Mine\nid: bk_egrets\ntitle: Egrets # short\nprice: 19.00 # dollars\ndescription: |\n  White birds.\ntags: [white, birds] # two\nstatus: draft\n`;
  writeFileSync(fileOf('egrets', 'item.yaml'), before);
  const { html } = await open(edit('egrets'));
  const fields = Object.fromEntries(
    [
      ...html.matchAll(/<input (?![^>]*type="(?:file|checkbox)")[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g),
    ].map(([, name = '', value = '']) => [name, value]),
  );
  await save('egrets', { ...fields, tags: 'white\nbirds', title: 'Great egrets', price: '19.00' });
  expect(yamlOf('egrets')).toBe(before.replace('Egrets #', 'Great egrets #'));
});

test('a price in major units means the same after its currency was changed, or is asked for again', async () => {
  await add('swans');
  writeFileSync(
    fileOf('swans', 'item.yaml'),
    `id: swans\ntitle: Swans\nprice: 19.00\ndescription: Birds\nstatus: draft\n`,
  );
  const refused = await save('swans', { price: '19.00', currency: 'jpy' });
  expect([refused.status, wordsOf(refused.html)]).toEqual([
    400,
    expect.stringContaining('as a price in JPY'),
  ]);
  await save('swans', { price: '1900', currency: 'jpy' });
  expect(manifestOf('swans')).toMatchObject({ unitAmountCents: 1900, currency: 'jpy' });
});

test('chapters get titles, leave the book and join it, and are ticked for the sample', async () => {
  await add('terns');
  const folder = fileOf('terns', 'item.yaml').replace(/item\.yaml$/, '');
  const [one = ''] = [...new Glob('*.md').scanSync(folder)];
  writeFileSync(join(folder, 'two.md'), '# Two\n\nText.\n');
  writeFileSync(join(folder, 'notes.md'), '# Notes\n\nText.\n');
  const chapters = `chapters: # in order\n  - part: First\n  - ${one}\n  - path: two.md\n    title: Second\n    level: 2\n`;
  writeFileSync(
    join(folder, 'item.yaml'),
    `id: terns\ntitle: Terns\ndescription: Birds\nunitAmountCents: 0\nstatus: draft\n${chapters}`,
  );
  await stall.app.publish();
  const saved = await save('terns', {
    chapters: ['', 'two.md', 'notes.md'],
    sample: ['', 'notes.md'],
    'title of two.md': 'The second',
    'title of notes.md': '',
  });
  expect(saved.status).toBe(303);
  expect(manifestOf('terns')).toMatchObject({
    sample: ['notes.md'],
    chapters: [{ part: 'First' }, { path: 'two.md', title: 'The second', level: 2 }, { path: 'notes.md' }],
  });
  expect(yamlOf('terns')).toContain('# in order');
  await save('terns', { sample: '' });
  expect(manifestOf('terns').sample).toEqual([]);
});

test('a book without a list of chapters gets one once a title is changed', async () => {
  await add('ducks');
  const folder = fileOf('ducks', 'item.yaml').replace(/item\.yaml$/, '');
  const yaml = `id: ducks\ntitle: Ducks\ndescription: Birds\nunitAmountCents: 0\nstatus: draft\n`;
  writeFileSync(join(folder, 'item.yaml'), yaml);
  writeFileSync(join(folder, 'zwei.md'), '# Two\n\nText.\n');
  await stall.app.publish();
  await save('ducks', {
    chapters: ['', ...[...new Glob('*.md').scanSync(folder)]],
    'title of zwei.md': 'Second',
  });
  expect(manifestOf('ducks').chapters).toHaveLength(2);
  expect(manifestOf('ducks').chapters?.at(-1)).toMatchObject({ path: 'zwei.md', title: 'Second' });
});

test('a file for readers is attached with its label, replaced and taken away', async () => {
  await add('larks');
  const change = async (fields: Sent) =>
    post('/admin/items/larks/files', { hash: await hashOf('larks'), ...fields });
  const pdf = (text: string) => new File([`%PDF-1.4\n${text}`], 'larks.pdf');
  expect((await change({ file: pdf('one'), label: 'For print' })).status).toBe(303);
  expect(manifestOf('larks').formats).toEqual([{ path: 'larks.pdf', label: 'For print' }]);
  expect((await change({ file: pdf('two'), label: '' })).status).toBe(303);
  expect(manifestOf('larks').formats).toEqual(['larks.pdf']);
  expect(readFileSync(fileOf('larks', 'larks.pdf'), 'utf8')).toContain('two');
  for (const [fields, sentence] of [
    [{ file: new File(['MZ'], 'larks.exe') }, 'choose a PDF'],
    [{ file: new File(['x'], 'CON.pdf') }, 'rename the file'],
    [{}, 'Choose a file'],
  ] as const) {
    const { status, html } = await change({ ...fields, label: 'Kept words' });
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining(sentence)]);
    expect(html).toContain('value="Kept words"');
  }
  expect((await change({ remove: 'larks.pdf' })).status).toBe(303);
  expect(manifestOf('larks').formats).toEqual([]);
  expect([...new Glob(`pushed/*/larks/**/*.pdf`).scanSync(stall.data)]).toEqual([]);
});

test('a cover is chosen, shown, and drawn again', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  await save('herons', { file: new File([png], 'Mine.png') });
  expect(manifestOf('herons').cover).toBe('cover.png');
  expect((await open(edit('herons'))).html).toMatch(/<img[^>]* src="\/covers\/herons-[0-9a-f]+-480\.webp"/);
  const refused = await save('herons', { file: new File(['no'], 'a.png'), title: 'Typed' });
  const section = refused.html.slice(refused.html.indexOf('<summary>Cover')).split('</details>')[0]!;
  expect([refused.status, wordsOf(section)]).toEqual([400, expect.stringContaining('as a cover: send')]);
  await save('herons', { drawn: 'on' });
  expect(manifestOf('herons').cover).toBeNull();
  expect((await open(edit('herons'))).html).toMatch(/<img[^>]* src="\/covers\/herons-[0-9a-f]+\.svg"/);
});

test.each([
  ['language', 'klingon!', 'Language', 'Write a BCP 47 tag'],
  ['checkoutUrl', 'http://pay.example', 'Checkout address', 'begins with "https://"'],
  ['stripe', 'prod_1', 'Ids at Stripe', 'begins with "plink_"'],
  ['price', 'a lot', 'Price', 'Cannot read "a lot" as a price'],
  ['suggested', 'more', 'Suggested price', 'Cannot read "more" as a price'],
  ['progress', '101', 'Progress', 'Write a whole number from 0 to 100'],
  ['authors', 'Ann\nAnn', 'Authors', 'Cannot name "Ann" twice in “Authors”'],
  ['tags', 'x'.repeat(201), 'Tags', 'Write at most 200'],
  ['title', '', 'Title', 'It is needed before the item is published'],
])(
  'a wrong %s %j is refused beside “%s”, whose section is open, and nothing typed is lost',
  async (name, typed, label, sentence) => {
    const before = yamlOf('herons');
    const { status, html } = await save('herons', { title: 'Herons typed', version: '9.9', [name]: typed });
    expect(status).toBe(400);
    const section = html
      .split('<details class="form-section"')
      .find((one) => one.includes(`name="${name}"`))!;
    expect(section).toStartWith(' open');
    const field = section.split('<div class="field">').find((one) => one.includes(`name="${name}"`))!;
    expect([wordsOf(field), field]).toEqual([
      expect.stringContaining(sentence),
      expect.stringContaining(label),
    ]);
    expect(html).toContain('value="9.9"');
    expect(yamlOf('herons')).toBe(before);
  },
);

test('a second tab that saves an old form is told so, and keeps all that was typed', async () => {
  const hash = await hashOf('larks');
  expect((await post(edit('larks'), { hash, title: 'First' })).status).toBe(303);
  const late = await post(edit('larks'), {
    ...{
      hash,
      title: 'Second',
      tags: 'late',
      authors: 'Lou Late',
      'praise-quote': ['Late.'],
      'praise-by': ['Moe'],
    },
    'praise-url': [''],
  });
  expect([late.status, wordsOf(late.html)]).toEqual([
    412,
    expect.stringContaining('changed in the meantime'),
  ]);
  for (const typed of ['value="Second"', 'late</textarea>', 'Lou Late</textarea>', 'Late.</textarea>'])
    expect(late.html).toContain(typed);
  expect(manifestOf('larks').title).toBe('First');
});

test('a skill without words of its own shows that they are those of SKILL.md', async () => {
  const skill = '---\nname: tide\ndescription: Use it to read tides.\n---\nDo it.\n';
  const { zipSync } = await import('fflate');
  await post('/admin/add', {
    slug: '',
    file: new File([zipSync({ 'tide/SKILL.md': Buffer.from(skill) })], 'tide.zip'),
  });
  writeFileSync(fileOf('tide', 'item.yaml'), itemYaml());
  expect(wordsOf((await open(edit('tide'))).html)).toContain('Without one, that of SKILL.md');
  expect((await save('tide', { title: '', description: '', price: '0', license: 'MIT' })).status).toBe(303);
  expect(manifestOf('tide')).toMatchObject({ description: 'Use it to read tides.', license: 'MIT' });
});

test('item.yaml is edited as text, with each error beside its line, and an old text is refused', async () => {
  const path = '/admin/items/terns/text';
  const { html } = await open(path);
  expect(html).toContain('# in order');
  const hash = /name="hash" value="([0-9a-f]{64})"/.exec(html)?.[1] ?? '';
  const before = yamlOf('terns');
  const text = (yaml: string) => send(path, { hash, yaml });
  const bad = await text(
    'id: terns\r\ntitle: T\r\ndescription: Birds\r\nprice: 0\r\nlanguage: klingon!\r\ntitle: U\r\n',
  );
  expect(bad.status).toBe(400);
  expect(wordsOf(bad.html)).toContain('Line 5: language: klingon! Cannot use "klingon!" as "language"');
  expect(wordsOf(bad.html)).toContain('Line 6: title: U Cannot use the key "title" twice (line 6)');
  expect([bad.html.includes('language: klingon!\ntitle: U'), yamlOf('terns')]).toEqual([true, before]);
  expect((await text(before.replace('Terns', 'Terns # mine'))).status).toBe(303);
  expect([yamlOf('terns'), manifestOf('terns').title]).toEqual([
    before.replace('Terns', 'Terns # mine'),
    'Terns',
  ]);
  const late = await text('id: terns\ntitle: Late\ndescription: Birds\nprice: 0\n');
  expect([late.status, late.html.includes('title: Late')]).toEqual([412, true]);
  expect(manifestOf('terns').title).toBe('Terns');
});

test('an item with a price and no way to buy is warned of, and its page says that it is not for sale yet', async () => {
  await add('rooks');
  const words = { title: 'Rooks', description: 'Birds', price: '9', status: 'published' };
  expect((await save('rooks', words)).status).toBe(303);
  const unsold = 'It has a price, and nobody can buy it';
  const itemsPage = async () => wordsOf((await open('/admin/items?q=rooks')).html);
  // The office names neither files nor commands for what its form corrects.
  expect(await itemsPage()).toContain(`${unsold}. Change it in its form`);
  expect(await itemsPage()).not.toMatch(/item\.yaml|bookstall sell/);
  expect(wordsOf((await open('/admin')).html)).toMatch(/nobody can buy them: [^.]*books\/rooks/);
  expect(wordsOf((await open(edit('rooks'))).html)).toContain('Nobody can buy it yet');
  const said = async (lang: string) => wordsOf(await (await stall.fetch(`/books/rooks?lang=${lang}`)).text());
  expect(await said('en')).toContain('It is not for sale here yet.');
  expect((await save('rooks', { checkoutUrl: 'https://pay.example/rooks' })).status).toBe(303);
  expect([await itemsPage(), await said('en')]).toEqual([
    expect.not.stringContaining(unsold),
    expect.not.stringContaining('not for sale'),
  ]);
});

test('another price, and a withdrawal, of what others need are asked about', async () => {
  await add('needed');
  const fields = {
    title: 'Needed',
    publisher: 'Reed Press',
    status: 'published',
    price: '5',
    currency: 'usd',
    version: '1.0.0',
  };
  expect((await save('needed', fields)).status).toBe(303);
  writeFiles(stall.content, {
    'skills/kit/item.yaml': itemYaml(),
    'skills/kit/SKILL.md': skillMd('kit').replace('\n---\n', '\nmetadata: {needs: needed@^1.0.0}\n---\n'),
  });
  await stall.app.publish();
  expect((await save('needed', { ...fields, title: 'Still needed' })).status).toBe(303);
  const dearer = { ...fields, price: '7' };
  const asked = await save('needed', dearer);
  expect([asked.status, manifestOf('needed').unitAmountCents]).toEqual([400, 500]);
  expect(wordsOf(asked.html)).toContain('1 other needs this. Save it again if that is right');
  const [, sure = ''] = /name="sure" value="([^"]*)"/.exec(asked.html) ?? [];
  expect((await save('needed', { ...dearer, sure })).status).toBe(303);
  expect(manifestOf('needed').unitAmountCents).toBe(700);
  const { digest } = stall.app.stall.catalog().bySlug.get('needed')!;
  const { html } = await open(`/admin/items/needed/editions/${digest}/withdraw`);
  expect(wordsOf(html)).toContain(
    '"kit" needs "needed@^1.0.0", and no other edition is that. Nobody can install',
  );
});
