import { describe, expect, test } from 'bun:test';
import { Parser } from 'htmlparser2';
import { type Files, itemYaml, openStall, skillMd } from '../../helpers/harness.ts';

const ARABIC = 'طيور المدينة: دليل الهواة؟';
const HEBREW = 'ציפורים בעיר (מדריך).';
const CHAPTER = 'مقدمة في الطيور!';
const UNKNOWN = 'مكتبة بلا لغة؟';

const FILES: Files = {
  'stall.yaml': 'name: "متجر الكتب؟"\nlanguage: ar\nintro: "كتب عن **الطيور**؟"\n',
  'books/arabic/item.yaml': itemYaml({
    id: 'arabic',
    title: JSON.stringify(ARABIC),
    description: JSON.stringify('هل تعيش الطيور في المدن؟'),
    publisher: JSON.stringify('دار النورس'),
    authors: JSON.stringify(['ليلى حسن', 'Ada Lovelace']),
    unitAmountCents: 1900,
    language: 'ar',
    changes: JSON.stringify('فصل جديد!'),
    sample: '[01.md]',
  }),
  'books/arabic/01.md': `# ${CHAPTER}\n\nهل تعيش الطيور في المدن؟\n`,
  'books/arabic/02.md': '# الفصل الثاني.\n\nنعم!\n',
  'skills/hebrew/item.yaml': itemYaml({
    title: JSON.stringify(HEBREW),
    language: 'he',
    unitAmountCents: 900,
  }),
  'skills/hebrew/SKILL.md': skillMd('hebrew'),
  'books/unknown/item.yaml': itemYaml({
    id: 'unknown',
    title: JSON.stringify(UNKNOWN),
    unitAmountCents: 100,
  }),
  'books/unknown/01.md': '# One\n',
};

const stall = await openStall({ files: FILES });
const slugs = ['arabic', 'hebrew', 'unknown'];
const { key } = await stall.reader('reader@example.org', ...slugs);
for (const slug of slugs)
  await stall.fetch(`/api/install/${slug}`, { headers: { Authorization: `Bearer ${key}` } });
await stall
  .fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'arabic', query: 'الطيور' }),
  })
  .then((response) => response.text());
await stall.app.admin.accounts.add('owner@example.org', true);
const cookies = {
  anonymous: {},
  reader: await stall.signIn('reader@example.org'),
  owner: await stall.signIn('owner@example.org'),
};

type Place = { readonly text: string; readonly lang: string | null; readonly dir: string | null };

/** Every text of a page's body that has one of the words, with the language and the direction it is in. */
function placesOf(html: string, words: string): readonly Place[] {
  const stack: { name: string; lang: string | null; dir: string | null }[] = [];
  const places: Place[] = [];
  const inherited = (key: 'lang' | 'dir') => stack.findLast((one) => one[key] !== null)?.[key] ?? null;
  const parser = new Parser({
    onopentag: (name, { lang = null, dir = null }) => stack.push({ name, lang, dir }),
    onclosetag: () => void stack.pop(),
    ontext: (text) => {
      // An option has no elements in it, and what is in the head has no direction.
      if (stack.some(({ name }) => ['head', 'option', 'script'].includes(name)) || !text.includes(words))
        return;
      places.push({ text, lang: inherited('lang'), dir: inherited('dir') });
    },
  });
  parser.end(html);
  return places;
}

const PAGES: readonly (readonly [path: string, visitor: keyof typeof cookies, words: readonly string[]])[] = [
  ['/', 'anonymous', [...ARABIC.split(': '), HEBREW, UNKNOWN]],
  ['/?sort=newest', 'anonymous', [ARABIC, HEBREW, UNKNOWN]],
  ['/books/arabic', 'anonymous', [...ARABIC.split(': '), CHAPTER]],
  ['/books/arabic', 'reader', [...ARABIC.split(': '), CHAPTER]],
  ['/books/unknown', 'anonymous', [UNKNOWN]],
  ['/skills/hebrew', 'anonymous', [HEBREW]],
  ['/books/arabic/read/01.md', 'anonymous', [ARABIC, CHAPTER]],
  ['/books/arabic/read/02.md', 'anonymous', [ARABIC, 'الفصل الثاني.']],
  ['/books/arabic/read/02.md', 'reader', [ARABIC, 'الفصل الثاني.', CHAPTER]],
  ['/books/arabic/search?q=الطيور', 'reader', [...ARABIC.split(': ', 1), CHAPTER]],
  ['/books/arabic/ask', 'reader', ARABIC.split(': ', 1)],
  ['/dashboard', 'reader', [ARABIC, HEBREW, UNKNOWN]],
  ['/dashboard/logs', 'reader', [ARABIC]],
  ['/dashboard/downloads', 'reader', [ARABIC, HEBREW, UNKNOWN]],
  ['/admin/items', 'owner', [ARABIC, HEBREW, UNKNOWN]],
  ['/admin/items/arabic', 'owner', [ARABIC]],
  ['/admin/logs', 'owner', [ARABIC]],
  ['/admin/downloads', 'owner', [ARABIC, HEBREW, UNKNOWN]],
];

const IN: Readonly<Record<string, Omit<Place, 'text'>>> = {
  [HEBREW]: { lang: 'he', dir: 'rtl' },
  // Words in an unknown language decide for themselves.
  [UNKNOWN]: { lang: 'en', dir: 'auto' },
};

describe('words from right to left are in their language and direction', () => {
  test.each(PAGES)('on %s for the %s', async (path, visitor, words) => {
    const html = await (
      await stall.fetch(path, { headers: { ...cookies[visitor], Accept: 'text/html' } })
    ).text();
    for (const word of words) {
      const places = placesOf(html, word);
      expect({ word, count: places.length }).not.toEqual({ word, count: 0 });
      const { lang, dir } = IN[word] ?? { lang: 'ar', dir: 'rtl' };
      expect(places).toEqual(places.map(({ text }) => ({ text, lang, dir })));
    }
  });

  test('in the name and the introduction of a stall', async () => {
    const html = await (await stall.fetch('/')).text();
    expect(html).toContain('<h1 lang="ar" dir="rtl">متجر الكتب؟</h1>');
    expect(html).toContain('<span lang="ar" dir="rtl">متجر الكتب؟</span>');
    expect(placesOf(html, 'كتب عن')).toMatchObject([{ lang: 'ar', dir: 'rtl' }]);
  });

  test('and makers keep their own among others', async () => {
    const html = await (await stall.fetch('/books/arabic')).text();
    expect(html).toContain(
      '<p class="by"><bdi>ليلى حسن</bdi> · <bdi>Ada Lovelace</bdi>, published by <bdi>دار النورس</bdi></p>',
    );
  });

  test('in the feed, whose texts have no direction but characters that say it', async () => {
    const feed = await (await stall.fetch('/feed.xml')).text();
    const entries = feed.split('<entry').slice(1);
    const of = (title: string): string => entries.find((entry) => entry.includes(title)) ?? '';
    expect(of(ARABIC)).toStartWith(' xml:lang="ar">');
    expect(of(ARABIC)).toContain(`<title>\u2067${ARABIC}\u2069</title>`);
    expect(of(ARABIC)).toContain('<summary>\u2067هل تعيش الطيور في المدن؟\u2069</summary>');
    expect(of(ARABIC)).toContain('<content type="text">\u2067فصل جديد!\u2069</content>');
    expect(of(UNKNOWN)).toStartWith('>');
    expect(of(UNKNOWN)).toContain(`<title>${UNKNOWN}</title>`);
  });

  test('on a drawn cover', async () => {
    const cover = async (slug: string): Promise<string> => {
      const [, path = ''] =
        /<img class="cover" src="([^"]+)"/.exec(await (await stall.fetch(slug)).text()) ?? [];
      return (await stall.fetch(path)).text();
    };
    expect(await cover('/books/arabic')).toMatch(/<g font-size="\d+" direction="rtl"><text[^>]*>طيور/);
    expect(await cover('/skills/hebrew')).toContain('direction="rtl"');
  });
});
