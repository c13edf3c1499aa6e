import { expect, test } from 'bun:test';
import { openStall, SHELF } from '../helpers/harness.ts';
import { addLogRows } from '../asking/log-rows.ts';
import { createVisitor, hidden } from '../platform/site/visitor.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const stall = await openStall({
  now: () => NOW,
  files: { ...SHELF, 'stall.yaml': 'name: Ein Stand\nlanguages: [en, de]\n' },
});
const reader = await stall.reader('anna@example.org', 'paid-book', 'paid-skill');
const { Cookie } = await stall.signIn(reader.email);
const { open, send } = createVisitor(stall, { Cookie: `${Cookie}; lang=de` });
await stall.app.admin.accounts.add('owner@example.org', true);
const office = createVisitor(stall, {
  Cookie: `${(await stall.signIn('owner@example.org')).Cookie}; lang=de`,
});
const row = { account: reader.account.id, key: reader.keyId, outcome: 'not_covered', at: NOW - 1000 };
addLogRows(stall, [row]);
const link = await stall.app.admin.tokens.create(reader.email, {
  ...{ name: 'notebook', slugs: [], reads: false, term: 'never' },
});
const KEYS = '/dashboard/api-keys';

test.each([
  ['/dashboard', '1 Buch und 1 Skill', 'Gehört Ihnen seit 20. Nov. 2026', 'Fehlt etwas?'],
  ['/dashboard/account', 'Wo Sie angemeldet sind', '1 aktiver Schlüssel.', 'Ändern der E-Mail-Adresse'],
  ['/dashboard/account/email', 'E-Mail-Adresse ändern'],
  ['/dashboard/account/password', 'Bisheriges Passwort'],
  [KEYS, 'Zuletzt benutzt', '18. Feb. 2027', '90 Tage', 'Widerrufen test'],
  [`${KEYS}/${reader.keyId}/revoke`, '„test“ widerrufen?', 'Agenten, die „test“ (', 'Abbrechen'],
  ['/dashboard/connect', 'Aktive Links', 'Alles, was Ihnen gehört', 'unbegrenzt'],
  [`/dashboard/connect/${link.id}/revoke`, 'Agenten, die den Link', 'Link widerrufen'],
  ['/dashboard/logs', 'Gefragt über', 'Nicht im Buch', '12 ms'],
  ['/dashboard/logs?from=x', '„x“ ist keine Zeitangabe'],
  ['/dashboard/downloads', 'Prüfsumme', 'Installation'],
] as [path: string, ...words: string[]][])('the page %s is in German', async (path, ...words) => {
  const { text, html } = await open(path);
  for (const word of words) expect(text).toContain(word);
  expect(html).toContain('<html lang="de"');
});

test('a refused form says why in German, to a program in English', async () => {
  const once = hidden((await open(KEYS)).html, 'once');
  const form = { name: ' ', expires: '90', once };
  expect((await send(`${KEYS}/create`, form)).text).toContain('Dieser Name geht nicht. Geben Sie 1 bis 80');
  expect((await send(`${KEYS}/create`, { ...form, name: 'x' })).text).toContain('schon abgeschickt');
  await expect(stall.app.admin.keys.create(reader.email, ' ', 'never')).rejects.toThrow(
    'Cannot take this name for a key: give 1 to 80 characters without line breaks',
  );
});

test('the office is in the language of its owner, also where it shares a page with readers', async () => {
  const path = `/admin/accounts/${reader.account.id}/keys/${reader.keyId}/revoke`;
  expect((await office.open(path)).text).toContain('Agenten von anna@example.org, die „test“ (');
  expect((await office.open('/admin/logs')).text).toContain('Nicht im Buch');
});

test('a file of a log has the same columns in every language', async () => {
  const { html, headers } = await open('/dashboard/logs.csv');
  expect(html).toContain('time,account,key,key_name,id,book');
  expect(headers.get('content-disposition')).toContain('bookstall-questions.csv');
});
