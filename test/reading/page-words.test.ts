import { expect, test } from 'bun:test';
import { itemYaml, openStall } from '../helpers/harness.ts';
import { unmarkedIn } from '../words/unmarked.ts';
import { createVisitor, hidden } from '../platform/site/visitor.ts';

const stall = await openStall({
  now: () => Date.parse('2026-11-20T12:00:00Z'),
  files: {
    'stall.yaml': 'name: Bookstall\nlanguages: [en, de, en-XA]\n',
    'books/marsh/item.yaml': itemYaml({
      ...{
        id: 'marsh',
        title: '"The marsh: a walk"',
        language: 'en',
        unitAmountCents: 1950,
        sample: '[01.md]',
      },
      checkoutUrl: 'https://shop.example/marsh',
    }),
    'books/marsh/01.md': `# Herons\n\nThe grey heron stands on one leg.\n\n${'Mist lies over it. '.repeat(400)}`,
    'books/marsh/02.md': '# Fish\n\nThey swim.\n',
    'books/marsh/03.md': `# Long\n\n${'The heron sleeps, and nothing happens.\n\n'.repeat(40_000)}`,
  },
});
const holder = await stall.reader('holder@example.org', 'marsh');
await stall.reader('member@example.org');
const { Cookie } = await stall.signIn('holder@example.org');
const german = createVisitor(stall, { Cookie: `${Cookie}; lang=de` });
const pseudo = { Cookie: `${Cookie}; lang=en-XA`, Accept: 'text/html' };
const stranger = createVisitor(stall, { Cookie: 'lang=de' });
const member = createVisitor(stall, {
  Cookie: `${(await stall.signIn('member@example.org')).Cookie}; lang=de`,
});
const [chapter, notes, ask] = ['/books/marsh/read/01.md', '/books/marsh/notes', '/books/marsh/ask'];
const edition = /data-edition="([^"]+)"/.exec((await german.open(chapter)).html)?.[1] ?? '';
await german.send(notes, { path: '01.md', edition, text: 'ja?', start: '14', end: '24' });
const note = /\/notes\/([^"]+)"/.exec((await german.open(notes)).html)?.[1] ?? '';

test.each([
  [chapter, 'Kapitel 1 von 3 · 7 Min. · ', 'bis zum Ende', '1 Notiz in diesem Kapitel', 'Dazu fragen'],
  ['/books/marsh/read/03.md?part=2', 'Teil 1 von ', 'Vorige Seite Teil'],
  ['/books/marsh/search?q=heron', 'Suche in „The marsh“', 'Stellen.', 'Zurück zum Buch'],
  ['/books/marsh/search?q=quark', 'Zu „quark“ gibt es in diesem Buch keine Treffer.'],
  [ask, 'Fragen an „The marsh“', 'Die Frage wird nicht gespeichert.'],
  [notes, 'Notizen', '20. Nov. 2026', 'Alle speichern als Markdown oder CSV.'],
  [`${notes}?q=zzz`, 'Keine Notiz enthält „zzz“.'],
  [`${notes}/${note}`, 'Bis zu 4.000 Zeichen.', 'Zurück zur Stelle'],
  [`${notes}/none`, 'Diese Notiz gibt es nicht'],
] as [path: string, ...words: string[]][])('a holder reads %s in German', async (path, ...words) => {
  const { text } = await german.open(path);
  for (const word of words) expect(text).toContain(word);
});

test('who does not own a book is told so, and to where it is sold, in German', async () => {
  const closed = await stranger.open('/books/marsh/read/02.md');
  expect(closed.text).toContain('Das ganze Buch: 3 Kapitel, ');
  expect(closed.text).toContain('Lesezeit, für 19,50 $');
  expect((await stranger.open(chapter)).text).toContain('Hier endet die Leseprobe');
  expect((await stranger.open('/books/marsh/search?q=heron')).text).toContain('nur aus der Leseprobe');
  const refused = await member.open(ask);
  expect(refused.text).toContain('„marsh“ können Sie nicht befragen');
  expect(refused.text).toContain('Für 19,50 $ bekommen Sie es unter https://shop.example/marsh.');
});

test('an answer is in the words of the page around those of the book', async () => {
  const token = async (headers: { Cookie: string } = german.cookie) =>
    hidden(await (await stall.fetch(ask, { headers })).text(), 'token');
  const answer = await german.send(ask, { question: 'Why on one leg, heron?', token: await token() });
  expect(answer.text).toContain('Aus dem Text des Buchs herausgesucht, ohne KI.');
  expect(answer.html).toContain('<p class="writing" lang="de" dir="ltr">Die Antwort wird geschrieben …</p>');
  expect(answer.html).toContain('</div><div lang="de" dir="ltr">');
  const none = await german.send(ask, { question: 'Quarks and gluons?', token: await token() });
  expect(none.text).toContain('Das Buch scheint darauf nicht einzugehen.');
  expect((await german.send(ask, { question: ' ', token: await token() })).text).toContain(
    'Geben Sie zuerst eine Frage ein.',
  );
  expect((await german.send(ask, { about: 'one leg', token: '' })).html).toContain('„one leg“ </textarea>');
  const response = await stall.fetch(ask, {
    ...{ method: 'POST', headers: { ...pseudo, 'Sec-Fetch-Site': 'same-origin' } },
    body: new URLSearchParams({ question: '⟦Quarks and gluons?⟧', token: await token(pseudo) }),
  });
  expect(await unmarkedIn(response)).toEqual([]);
});

test('programs are refused in English', async () => {
  const response = await stall.fetch('/api/books/marsh/notes/none', { headers: holder.headers });
  expect(await response.text()).not.toContain('Diese Notiz');
  const missing = await stall.fetch('/api/books/none/files', {
    headers: { ...holder.headers, Cookie: 'lang=de' },
  });
  expect(await missing.json()).toMatchObject({
    error: 'Cannot find "none": the catalog at /api/items lists what this stall serves',
  });
});
