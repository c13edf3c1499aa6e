import { expect, test } from 'bun:test';
import { openAdmin, wordsOf } from './visit.ts';

const { open, send } = await openAdmin({
  files: { 'stall.yaml': 'languages: [de]\n', 'books/broken/item.yaml': 'title: Broken\n' },
});

test.each<[path: string, fields: Readonly<Record<string, string>>, sentence: string]>([
  ['/admin/groups', { name: 'A!' }, '„A!“ geht nicht als Name einer Gruppe: Nehmen Sie 1 bis 40 Zeichen'],
  ['/admin/accounts/add', { email: 'owner@example.org' }, '„owner@example.org“ hat schon ein Konto'],
  ['/admin/accounts/add', { email: 'nobody' }, 'keine E-Mail-Adresse'],
  ['/admin/settings/mail', { setting: 'server', host: '' }, 'Ohne Server lassen sich keine Mails senden'],
  [
    '/admin/settings/bundles',
    { setting: 'none', title: 'A' },
    'Dieses Paket gibt es nicht: Laden Sie die Seite neu',
  ],
  ['/admin/reports/none', { state: 'done' }, 'Diesen Hinweis gibt es nicht: Laden Sie die Liste neu'],
  [
    '/admin/settings',
    { setting: 'requireSignatures', value: 'true' },
    'auch alle, die hier hinzugefügt wurden. Speichern Sie noch einmal, wenn es so sein soll',
  ],
])('a form of %s that is refused says why in German: %j', async (path, fields, sentence) => {
  const { status, html } = await send(path, fields);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(wordsOf(html)).toContain(sentence);
  expect(html).not.toMatch(new RegExp(`lang="en"[^>]*>[^<]*${sentence}`));
  expect(wordsOf(html)).not.toMatch(/\b(?:Cannot|reload the page)\b/);
});

test('what check says of an item is in English, and marked as such', async () => {
  const { html } = await open('/admin/items');
  expect(html).toMatch(/<li class="error" lang="en">[^<]*Cannot find the key/);
  expect(wordsOf(html)).toContain('Nicht im Angebot');
});

test('the result of a form is told in German', async () => {
  const { location } = await send('/admin/groups', { name: 'rezensenten' });
  expect(wordsOf((await open(location ?? '')).html)).toContain('Gruppe angelegt. Als Nächstes: ihre Titel');
});
