import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'bun:test';
import { languageOf as preferredLanguage } from '../../../src/platform/http/language.ts';
import { openStall, SHELF } from '../../helpers/harness.ts';
import { chosen, openBrowser, openClaimStall, secretOf } from '../../selling/claim-stall.ts';

const files = (yaml: string) => ({ ...SHELF, 'stall.yaml': `name: The Heron Stall\n${yaml}` });

const both = await openStall({ files: files('languages: [de, en]\n') });
const one = await openStall({ files: files('') });

const languageOf = (html: string): string => /<html lang="([^"]*)"/.exec(html)?.[1] ?? '';

/** A page as a browser with these headers sees it. */
async function page(path: string, headers: Readonly<Record<string, string>> = {}, stall = both) {
  const response = await stall.fetch(path, {
    redirect: 'manual',
    headers: { Accept: 'text/html', ...headers },
  });
  return { response, language: languageOf(await response.text()) };
}

test.each([
  ['zh-CN', 'zh-Hans'],
  ['zh-TW,en;q=0.8', 'zh-Hans'],
  ['pt-PT, en;q=0.5', 'pt-BR'],
  ['sv, ja;q=0.5, en;q=0.1', 'ja'],
  ['sv', 'en'],
] as const)('of seven languages, a browser that prefers %j gets %p', (preferred, language) => {
  const request = new Request('https://stall.example/', { headers: { 'Accept-Language': preferred } });
  expect(preferredLanguage(request, ['en', 'de', 'es', 'fr', 'pt-BR', 'ja', 'zh-Hans'], null)).toBe(language);
});

describe('the language of a page', () => {
  test.each([
    ['the first of the stall', '/sign-in', {}, 'de'],
    ['what the browser prefers', '/sign-in', { 'Accept-Language': 'en-GB,de;q=0.5' }, 'en'],
    [
      'the stall’s first where the browser prefers another',
      '/sign-in',
      { 'Accept-Language': 'fr, ja' },
      'de',
    ],
    ['a region of a language', '/sign-in', { 'Accept-Language': 'de-AT' }, 'de'],
    ['of a header up to the bound', '/sign-in', { 'Accept-Language': `en,${'x'.repeat(997)}` }, 'en'],
    ['not of a longer one', '/sign-in', { 'Accept-Language': `en,${'x'.repeat(998)}` }, 'de'],
    ['the choice over the browser', '/sign-in', { 'Accept-Language': 'de', Cookie: 'lang=en' }, 'en'],
    [
      'a cookie beside others',
      '/sign-in',
      { 'Accept-Language': 'de', Cookie: 'a=lang=de;xlang=de; lang=en;b' },
      'en',
    ],
    [
      'no cookie that is there twice',
      '/sign-in',
      { 'Accept-Language': 'de', Cookie: 'lang=en; lang=en' },
      'de',
    ],
    ['no language that the stall has not', '/sign-in', { Cookie: 'lang=en-XA' }, 'de'],
    ['a page that is missing', '/nothing', { 'Accept-Language': 'en' }, 'en'],
    ['the storefront', '/', { 'Accept-Language': 'en' }, 'en'],
  ] as const)('is %s', async (_, path, headers, language) => {
    const { response, language: shown } = await page(path, headers);
    expect(shown).toBe(language);
    expect(response.headers.get('vary')).toBe('Accept-Language, Cookie');
  });

  test('is kept from the address, which loses it', async () => {
    const browser = openBrowser(both.fetch);
    const answer = await browser.open('/search?q=heron&lang=en&x=%2F');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/search?q=heron&x=%2F');
    expect(languageOf((await browser.open('/sign-in')).html)).toBe('en');
  });

  test('is chosen below every page, which is shown again', async () => {
    const browser = openBrowser(both.fetch);
    const { html } = await browser.open('/sign-in');
    expect(html).toContain(
      '<button type="submit" name="lang" value="en" lang="en" aria-pressed="false">English</button>',
    );
    const headers = { 'Sec-Fetch-Site': 'same-origin', Referer: 'https://x.example/search?q=a' };
    const body = new URLSearchParams({ lang: 'en' });
    const answer = await both.fetch('/look', { method: 'POST', headers, body, redirect: 'manual' });
    expect(answer.headers.get('location')).toBe('/search?q=a');
    expect(answer.headers.get('set-cookie')).toStartWith('lang=en; ');
  });

  test('has a tag of its own, so that a copy in another language is not taken for good', async () => {
    const tagOf = async (language: string) =>
      (await page('/', { 'Accept-Language': language })).response.headers.get('etag') ?? '';
    const [german, english] = [await tagOf('de'), await tagOf('en')];
    expect(german).not.toBe(english);
    const stale = await page('/', { 'Accept-Language': 'en', 'If-None-Match': german });
    expect(stale.response.status).toBe(200);
    const same = await page('/', { 'Accept-Language': 'en', 'If-None-Match': english });
    expect(same.response.status).toBe(304);
    expect(same.response.headers.get('vary')).toBe('Accept-Language, Cookie');
  });

  test('is no choice in a stall with one: no header, no form, and an address keeps its fields', async () => {
    const asked = await page('/search?lang=de', { 'Accept-Language': 'de', Cookie: 'lang=de' }, one);
    expect(asked.response.status).toBe(200);
    expect(asked.language).toBe('en');
    expect(asked.response.headers.get('vary')).toBe('Cookie');
    const { html } = await openBrowser(one.fetch).open('/');
    expect(html).not.toContain('name="lang"');
  });
});

test('an address for programs keeps its fields', async () => {
  const answer = await both.fetch('/api/items?lang=en', { redirect: 'manual' });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test('an account’s choice ends with the stall’s other languages', async () => {
  const stall = await openClaimStall({ yaml: 'name: The Heron Stall\nlanguages: [en, de]\n' });
  await stall.buy('three003');
  const { text } = await stall.server.waitFor('ada@example.org');
  const browser = stall.browser();
  await browser.post('/claim', { code: secretOf(text), ...chosen() });
  await browser.open('/dashboard?lang=de');
  expect(languageOf((await browser.open('/dashboard')).html)).toBe('de');
  writeFileSync(join(stall.content, 'stall.yaml'), 'name: The Heron Stall\n');
  await stall.app.publish();
  expect(languageOf((await browser.open('/dashboard')).html)).toBe('en');
});

describe('the language of mails', () => {
  const yaml = 'name: The Heron Stall\nlanguages: [en, de]\n';

  test('is that of the page on which they are asked for, then of the sign-in, and at last the chosen one', async () => {
    const stall = await openClaimStall({ yaml });
    await stall.buy('one00001');
    const claim = await stall.server.waitFor('ada@example.org');
    expect(claim.header('Subject')).toBe('Your purchase at The Heron Stall');
    const browser = stall.browser();
    browser.cookies.set('lang', 'de');
    await browser.post('/claim/mail', { email: 'ada@example.org' });
    const again = await stall.server.waitFor('ada@example.org', 2);
    expect(again.header('Subject')).toBe('Ihr Kauf bei The Heron Stall');
    await browser.post('/claim', { code: secretOf(again.text), ...chosen() });
    await stall.browser().post('/forgot', { email: 'ada@example.org' });
    const reset = await stall.server.waitFor('ada@example.org', 3);
    expect(reset.header('Subject')).toBe('Neues Passwort bei The Heron Stall');
    await browser.open('/dashboard?lang=en');
    stall.pass(1000);
    await stall.browser().post('/forgot', { email: 'ada@example.org' });
    const english = await stall.server.waitFor('ada@example.org', 4);
    expect(english.header('Subject')).toBe('A new password at The Heron Stall');
  });

  test('is the account’s on another device, whose browser prefers none of the stall’s', async () => {
    const stall = await openClaimStall({ yaml });
    await stall.buy('two00002');
    const { text } = await stall.server.waitFor('ada@example.org');
    const browser = stall.browser();
    await browser.post('/claim', { code: secretOf(text), ...chosen() });
    await browser.open('/dashboard?lang=de');
    browser.cookies.delete('lang');
    expect(languageOf((await browser.open('/dashboard')).html)).toBe('de');
  });
});
