import { describe, expect, test } from 'bun:test';
import { type Files, itemYaml, openStall, skillMd, type Stall, writeFiles } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';
import { createVisitor } from '../platform/site/visitor.ts';

type More = { readonly files?: Files; readonly yaml?: Readonly<Record<string, string | number>> };

/** The files of one version of a skill; `changes` are its notes. */
const kit = (version: string, changes: string | null, { files = {}, yaml = {} }: More = {}): Files => ({
  'skills/kit/item.yaml': itemYaml({
    version: JSON.stringify(version),
    ...(changes === null ? {} : { changes: JSON.stringify(changes) }),
    ...yaml,
  }),
  'skills/kit/SKILL.md': skillMd('kit', `Version ${version}.\n`),
  ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`skills/kit/${path}`, text])),
});

/** A stall that served each of these states of the skill in turn. */
async function openHistory(...states: readonly Files[]): Promise<Stall> {
  const stall = await openStall({ files: states[0] ?? {} });
  for (const files of states.slice(1)) await publish(stall, files);
  return stall;
}

async function publish(stall: Stall, files: Files = {}): Promise<void> {
  writeFiles(stall.content, files);
  await stall.app.publish();
}

/** The section "What's new" as HTML and as text; empty if there is none. */
async function readNews(stall: Stall, cookie: { readonly Cookie: string } = { Cookie: '' }) {
  const { html, text } = await createVisitor(stall, cookie).open('/skills/kit');
  const [section = ''] = /<section class="news">[\s\S]*?<\/section>/.exec(html) ?? [];
  return { html: section, text: text.slice(text.indexOf('What’s new'), text.indexOf('Facts Price')) };
}

describe('what is new', () => {
  test('are the notes of the last three versions, rendered, with their dates and counts', async () => {
    const stall = await openHistory(
      kit('1.0', 'The very first'),
      kit('1.1', 'Adds **herons**'),
      kit('1.2', null),
      kit('1.3', '- one\n- two', { files: { 'a.md': 'a', 'b.md': 'b' } }),
    );
    const { html, text } = await readNews(stall);
    expect(text).toMatch(/Version 1\.3 \d+ \w+ \d{4} one two 2 files added, 1 changed/);
    expect(html).toContain('<strong>herons</strong>');
    expect(html).toContain('<li>two</li>');
    expect(html).not.toContain('The very first');
    expect(html).toContain('All 4 editions');
    expect(text).toMatch(/1\.0 \d+ \w+ \d{4} 1 file Can be installed/);
    await stall.close();
  });

  test('is left out for a single edition without notes', async () => {
    const stall = await openHistory(kit('1.0', null));
    expect((await readNews(stall)).html).toBe('');
    await stall.close();
  });

  test('are the notes of a first edition too', async () => {
    const stall = await openHistory(kit('1.0', 'Begins'));
    const { text } = await readNews(stall);
    expect(text).toContain('Begins The first edition.');
    await stall.close();
  });

  test.each([null, 'en', 'de'])(
    'and every other page name an edition without a version by its date, in the language %j',
    async (language) => {
      const at = Date.parse('2026-11-20T12:00:00.000Z');
      let now = at;
      const noVersion = (text: string): Files => ({
        'skills/kit/item.yaml': itemYaml({ changes: text }),
        'skills/kit/SKILL.md': skillMd('kit', text),
        ...(language === null ? {} : { 'stall.yaml': `languages: [${language}]\n` }),
      });
      const { stall, open } = await openAdmin({ now: () => now, files: noVersion('Begins') });
      for (const text of ['Goes on', 'Ends']) {
        now += 60_000;
        await publish(stall, noVersion(text));
      }
      const [day, name] =
        language === 'de' ? ['20. Nov. 2026', 'Ausgabe vom'] : ['20 Nov 2026', 'Edition of'];
      const item = await open('/skills/kit');
      expect(item.html).toContain(`<h3>${name} <time`);
      const digests = stall.app.stall.store
        .listEditions('skill', 'kit')
        .map(({ digest }) => digest.slice(0, 7));
      expect(digests).toHaveLength(3);
      const [newest = ''] = digests;
      for (const [path, shown] of [
        ['/skills/kit', day],
        ['/admin/items', day],
        ['/admin/items/kit/editions', `${day}, 12:02 UTC`],
        ['/feed.xml', 'A title'],
      ] as const) {
        const text = wordsOf((await open(path)).html.replace(/<code[^]*?<\/code>/g, ''));
        expect([path, text.replaceAll(/\s+/g, ' ')]).toEqual([path, expect.stringContaining(shown)]);
        const isFileList = path === '/skills/kit';
        if (!isFileList) expect([path, text]).toEqual([path, expect.not.stringContaining(newest)]);
      }
      const [, kept = ''] = stall.app.stall.store.listEditions('skill', 'kit').map(({ digest }) => digest);
      const asked = await open(`/admin/items/kit/editions/${kept}/rollback`);
      expect(wordsOf(asked.html)).toContain(
        language === 'de'
          ? '„kit“ auf die Ausgabe vom 20. Nov. 2026, 12:01 UTC zurücksetzen?'
          : 'Roll “kit” back to the edition of 20 Nov 2026, 12:01 UTC?',
      );
      const section = /<section class="news">[^]*?<\/section>/.exec(item.html)?.[0] ?? '';
      for (const digest of digests) expect(section).not.toContain(digest);
      await stall.close();
    },
  );

  test('names a version once, with the notes of its newest edition', async () => {
    const stall = await openHistory(
      kit('1.0', 'First'),
      kit('1.0', 'Second', { files: { 'a.md': 'a' } }),
      kit('1.0', 'Third', { files: { 'a.md': 'b' } }),
    );
    const { html } = await readNews(stall);
    expect(html.match(/<h3>/g)).toHaveLength(1);
    expect(html).toContain('Third');
    expect(html).not.toContain('Second');
    await stall.close();
  });

  test('begins with the edition that the publisher went back to', async () => {
    const stall = await openHistory(kit('1.0', 'First'), kit('1.1', 'Good'), kit('1.2', 'Bad'));
    await stall.app.admin.editions.rollBack('kit', '1.1');
    await publish(stall);
    const back = await readNews(stall);
    expect(back.html).not.toContain('Bad');
    expect(back.html).toMatch(/<h3>Version 1\.1/);
    expect(back.text).toContain('All 3 editions');
    await stall.app.admin.editions.withdraw('kit', '1.2');
    await publish(stall);
    const without = await readNews(stall);
    expect([without.html.includes('1.2'), without.html.includes('editions')]).toEqual([false, false]);
    await stall.close();
  });

  test('of an item that was edited as a draft begins with its first edition', async () => {
    const draft = { yaml: { status: 'draft' } };
    const stall = await openHistory(
      kit('0.1', 'Try', draft),
      kit('0.2', 'Again', draft),
      kit('1.0', 'Out', { files: { 'a.md': 'a' } }),
      kit('1.1', 'Next'),
    );
    const { html, text } = await readNews(stall);
    expect(text).toMatch(/Version 1\.0 \d+ \w+ \d{4} Out The first edition\./);
    expect(html).not.toMatch(/Try|Again/);
    const { editions } = (await (await stall.fetch('/api/items/kit/editions')).json()) as {
      editions: readonly object[];
    };
    expect(editions.at(-1)).toMatchObject({ version: '1.0', added: 2, changed: 0, removed: 0 });
    await stall.close();
  });
});

describe('the names of files that an edition changed', () => {
  const SECRET = 'secret-plan.md';
  const paid = (version: string, files: Files): Files =>
    kit(version, null, { files, yaml: { unitAmountCents: 500 } });

  test('are shown to those who hold the item, and to nobody else', async () => {
    const stall = await openHistory(
      paid('1.0', { 'a.md': 'a' }),
      paid('1.1', { 'a.md': 'b', [SECRET]: 's' }),
    );
    await stall.reader('holder@example.org', 'kit');
    await stall.reader('other@example.org');
    const [holder, other] = [
      await stall.signIn('holder@example.org'),
      await stall.signIn('other@example.org'),
    ];
    const seen = await readNews(stall, holder);
    expect(seen.text).toContain('1 file added, 2 changed Added secret-plan.md Changed SKILL.md a.md');
    for (const cookie of [undefined, other]) {
      const { html, text } = await readNews(stall, cookie);
      expect(text).toContain('1 file added, 2 changed');
      expect(html).not.toContain(SECRET);
    }
    await stall.close();
  });

  test('are a hundred at most, with the number of the others', async () => {
    const many = (text: string): Files =>
      Object.fromEntries(Array.from({ length: 1_990 }, (_, n) => [`data/${n}.txt`, `${text} ${n}`]));
    const stall = await openHistory(kit('1.0', null, { files: many('a') }));
    await publish(stall, kit('1.1', null, { files: { ...many('b'), 'new.md': 'n' } }));
    const { html, text } = await readNews(stall);
    expect(text).toContain('1 file added, 1,991 changed');
    expect(html.match(/<li>/g)).toHaveLength(100);
    expect(text).toContain('new.md');
    expect(text).toContain('And 1,892 more.');
    await stall.close();
  });
});

describe('hostile notes', () => {
  test.each([
    ['a script', '<script>alert(1)</script>', /<script/],
    ['an event handler', '<img src=x onerror=alert(1)>', /<img|onerror="/],
    ['a script address', '[x](javascript:alert(1))', /href="javascript/],
    ['a style', '<style>*{display:none}</style>', /<style/],
    ['a form', '<form action="https://evil.example"><input></form>', /<form|<input/],
    ['an open element', '<div><blockquote><details>', /still there<\/p>\n*<\/div>/],
    ['an end of the section', '</section></article></main>', /<\/article>/],
    ['a picture elsewhere', '![x](https://evil.example/x.png)', /<img/],
    ['a false id', '<h2 id="contents">Contents</h2>\n\n# Contents', /id="contents"|<h1|<h2>/],
  ])('with %s are harmless', async (_, notes, forbidden) => {
    const stall = await openHistory(kit('1.0', notes), kit('1.1', `${notes}\n\nstill there`));
    const { html } = await readNews(stall);
    expect(html).toContain('still there');
    expect(html).not.toMatch(forbidden);
    await stall.close();
  });

  test('in a version are text', async () => {
    const stall = await openHistory(kit('<b>1</b>', 'Notes'), kit('"><script>', 'More'));
    const { html } = await readNews(stall);
    expect(html).toContain('Version &lt;b>1&lt;/b>');
    expect(html).not.toMatch(/<b>|<script/);
    await stall.close();
  });
});
