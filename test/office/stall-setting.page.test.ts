import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultStallManifest } from '../../src/catalog/stall-manifest.rule.ts';
import { type } from '../platform/cli/type.ts';
import { itemYaml, openStall, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { openAdmin, visitAs, wordsOf } from './visit.ts';

const PATH = '/admin/settings';
const { stall, open, send } = await openAdmin({
  files: {
    'stall.yaml': 'awning: "#1f4e5f"\n',
    'books/herons/item.yaml': 'id: herons-id\ntitle: Herons\ndescription: Birds\nunitAmountCents: 1900\n',
    'books/herons/a.md': '# A\n',
    'skills/marsh/item.yaml': itemYaml(),
    'skills/marsh/SKILL.md': '---\nname: marsh\ndescription: Marshes.\n---\n\nDrain none.\n',
    'skills/tides/item.yaml': itemYaml(),
    'skills/tides/SKILL.md': '---\nname: tides\ndescription: Tides.\n---\n\nRead them.\n',
  },
});
const set = (setting: string, value: string, more: Readonly<Record<string, string>> = {}) =>
  send(PATH, { setting, value, ...more });
const visit = async (path: string): Promise<string> => (await stall.fetch(path)).text();

test.each([
  ['name', 'Quince <Press>', '/', 'Quince &lt;Press>'],
  ['intro', 'Books about **herons**.', '/', '<strong>herons</strong>'],
  ['contact', 'shop@quince.example', '/', 'mailto:shop@quince.example'],
  ['featured', 'tides\r\n', '/', 'tides'],
  ['language', 'en-GB', '/', 'lang="en-GB"'],
  ['terms', '# Terms of sale', '/terms', '<h1>Terms of sale</h1>'],
  ['privacy', 'We keep little.', '/privacy', 'We keep little.'],
  ['imprint', 'https://quince.example/imprint', '/imprint', 'href="https://quince.example/imprint"'],
  ['postalAddress', 'Quince Press\n1 Reed Lane', '/', '<address>Quince Press\n1 Reed Lane</address>'],
  ['taxLine', 'VAT ID DE123456789', '/', 'VAT ID DE123456789</address>'],
])('the %s %j counts from the next request', async (key, value, path, found) => {
  expect(await set(key, value)).toMatchObject({ status: 303, location: `${PATH}?said=saved#${key}` });
  expect(await visit(path)).toContain(found);
});

test.each([
  ['name', 'x'.repeat(81), 'Cannot use 81 characters as “Name”. Write at most 80'],
  ['contact', 'nobody', 'Cannot use "nobody" as “Contact”. Write an e-mail address'],
  ['language', 'klingon!', 'Language of name and introduction'],
  ['terms', 'http://quince.example/terms', 'Cannot use "http://quince.example/terms" as “Terms”'],
  ['accounts', 'some', 'Cannot use "some" as “Accounts”'],
  ['defaults.currency', 'taler', 'Cannot use "taler" as “Currency”. Write an ISO 4217 code, as in “usd”'],
])('a wrong %s is refused beside its field, and what was typed stays', async (key, value, sentence) => {
  const { status, html } = await set(key, value);
  expect(status).toBe(400);
  const form = html.slice(html.indexOf(`id="${key}"`)).split('</form>')[0]!;
  expect(wordsOf(form)).toContain(sentence);
  expect(form).toContain('aria-invalid');
  if (key !== 'accounts') expect(form).toContain(value);
});

test('every key of stall.yaml has a setting, but what other pages and people change', async () => {
  const { html } = await open(PATH);
  const { defaults, ...others } = defaultStallManifest;
  const keys = [...Object.keys(others), ...Object.keys(defaults).map((key) => `defaults.${key}`)];
  const without = keys.filter((key) => !html.includes(`id="${key}"`));
  expect(without).toEqual(['awning', 'bundles', 'signers', 'defaults.requiredSigners']);
});

test('of two tabs that save one setting, the second is told of the first, and may replace it', async () => {
  const markIn = (html: string, id: string): string =>
    /name="was" value="([^"]+)"/.exec(html.slice(html.indexOf(`id="${id}"`)))?.[1] ?? '';
  const { html } = await open(PATH);
  const [name, tax] = [markIn(html, 'name'), markIn(html, 'taxLine')];
  expect((await set('name', 'Of the first tab', { was: name })).status).toBe(303);
  const late = await set('name', 'Of the second tab', { was: name });
  expect([late.status, wordsOf(late.html)]).toEqual([
    400,
    expect.stringContaining('is now “Of the first tab”. Save again to replace that'),
  ]);
  expect(late.html).toContain('value="Of the second tab"');
  expect(await visit('/')).toContain('Of the first tab');
  expect((await set('taxLine', 'Another setting', { was: tax })).status).toBe(303);
  expect((await set('name', 'Of the second tab', { was: markIn(late.html, 'name') })).status).toBe(303);
  expect(await visit('/')).toContain('Of the second tab');
});

test('what stall.yaml sets is shown fixed, and cannot be saved', async () => {
  const { html } = await open(PATH);
  expect(wordsOf(html)).toContain('Colour #1f4e5f Set by stall.yaml, and changed there.');
  expect(html).not.toContain('id="awning"');
  const { status, html: refused } = await set('awning', '#000000');
  expect([status, wordsOf(refused)]).toEqual([400, expect.stringContaining('stall.yaml sets it')]);
});

test('a file beats the office once it has the key, and without it the office counts again', async () => {
  await set('name', 'Of the office');
  writeFileSync(join(stall.content, 'stall.yaml'), 'name: Of the file\n');
  await stall.app.publish();
  expect(await visit('/')).toContain('Of the file');
  writeFileSync(join(stall.content, 'stall.yaml'), 'awning: "#1f4e5f"\n');
  await stall.app.publish();
  expect(await visit('/')).toContain('Of the office');
});

test('an empty value brings the default back', async () => {
  await set('taxLine', '');
  expect(await visit('/')).not.toContain('VAT ID');
  await set('name', '');
  expect(await visit('/')).toContain('Bookstall');
});

test('the languages of pages are chosen, the first among them', async () => {
  const headers = { ...(await stall.signIn('owner@example.org')), 'Sec-Fetch-Site': 'same-origin' };
  const choose = (languages: readonly string[], sure = '') => {
    const values = languages.map((one): [string, string] => ['value', one]);
    const body = new URLSearchParams([['setting', 'languages'], ['sure', sure], ['first', 'fr'], ...values]);
    return stall.fetch(PATH, { method: 'POST', headers, body, redirect: 'manual' });
  };
  expect((await choose(['de', 'en'])).status).toBe(303);
  expect(await visit('/')).toContain('<html lang="fr"');
  // Whose language goes is asked about, with what was ticked, and once more for another choice.
  const asked = await choose(['fr']);
  const html = await asked.text();
  const [, question = ''] = /name="sure" value="([^"]+)"/.exec(html) ?? [];
  expect([asked.status, question]).toEqual([
    400,
    expect.stringContaining('no longer in Deutsch and English'),
  ]);
  expect(/value="en"( checked)?\/?><span/.exec(html)?.[1]).toBeUndefined();
  expect((await choose(['de'], question)).status).toBe(400);
  expect(stall.app.stall.stallFiles().stall.languages).toContain('en');
  expect((await choose(['fr'], question)).status).toBe(303);
  expect(stall.app.stall.stallFiles().stall.languages).toEqual(['fr']);
  await set('languages', 'en', { first: 'en' });
  await set('languages', 'en', {
    first: 'en',
    sure: 'Pages and mails are no longer in Français. Save it again if that is right',
  });
});

test('a demand for signatures is asked about, since it takes all unsigned items out of the shop', async () => {
  const { status, html } = await set('requireSignatures', 'true');
  expect([status, html]).toEqual([400, expect.stringContaining('no signer signed leave the shop')]);
  expect((await open(PATH)).html).toContain('<option value="false" selected');
});

test('a publisher for all items is in force after the publish that follows', async () => {
  expect(await set('defaults.publisher', 'Quince Press')).toMatchObject({ status: 303 });
  expect(await visit('/books/herons')).toContain('Quince Press');
});

test('a logo is uploaded, shown, and taken away', async () => {
  const headers = { ...(await stall.signIn('owner@example.org')), 'Sec-Fetch-Site': 'same-origin' };
  const upload = async (name: string, content: string) => {
    const body = new FormData();
    body.set('setting', 'logo');
    body.set('file', new File([content], name));
    return stall.fetch(PATH, { method: 'POST', headers, body, redirect: 'manual' });
  };
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
  expect((await upload('Logo.SVG', svg)).status).toBe(303);
  const [source = ''] = /\/assets\/[^"]+\.svg(?="[^>]*alt)/.exec(await visit('/')) ?? [];
  expect(await visit(source)).toBe(svg);
  expect((await upload('logo.exe', 'MZ')).status).toBe(400);
  expect((await upload('logo.png', 'x'.repeat(257 * 1024))).status).toBe(400);
  await set('logo', '', { remove: 'on' });
  expect(await visit('/')).not.toContain(source);
});

test('settings are there after a restart, and each change is in the audit log', async () => {
  await set('name', 'Quince Press');
  await stall.close();
  const again = await openStall({ files: {}, directory: stall.directory });
  expect(await (await again.fetch('/')).text()).toContain('Quince Press');
  const { open: openAgain } = visitAs(again, await again.signIn('owner@example.org'));
  expect(wordsOf((await openAgain('/admin/audit')).html)).toContain('Changed a setting stall.name');
});

test('check knows what the office sets from the database beside it, and says so without one', async () => {
  const data = join(stall.directory, 'data');
  const item = 'id: gulls\ntitle: Gulls\ndescription: Birds\nunitAmountCents: 0\n';
  const content = join(temporaryDirectory(), 'content');
  writeFiles(content, { 'books/gulls/item.yaml': item, 'books/gulls/a.md': '# A\n' });
  const checked = await type(['check', '--content', content, '--data', data]);
  expect([checked.code, checked.err]).toEqual([0, expect.not.stringContaining('not known')]);
  const alone = await type(['check', '--content', content, '--data', join(content, '..', 'none')]);
  expect([alone.code, alone.err]).toEqual([
    1,
    expect.stringContaining('What the office sets is not known here'),
  ]);
});
