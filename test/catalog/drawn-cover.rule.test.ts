import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { contrast } from '../../src/platform/site/awning.ts';
import {
  type CoverText,
  drawCover,
  INK,
  LABEL,
  PAPERS,
  PATTERNS,
} from '../../src/catalog/drawn-cover.rule.ts';
import { itemYaml, openStall, SHELF, skillMd } from '../helpers/harness.ts';
import { runs } from '../helpers/runs.ts';

const heron: CoverText = { kind: 'book', slug: 'heron', title: 'The heron', makers: 'Marsh Press' };

/** The texts of a drawing as an XML parser reads them. */
function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&'),
  );
}

describe('a drawn cover', () => {
  test.each([
    '<script>alert(1)</script>',
    '"]]><!-- & -->',
    '</text></svg><svg onload="alert(1)">',
    "' onload='alert(1)",
    '\ufffe\uffff\u0000\u{1fffe}',
    '&#0;&lt;',
    '\u202egnp.exe',
  ])('of %j is XML with exactly that text', (title) => {
    const svg = drawCover({ ...heron, title, makers: title });
    expect(() => Bun.XML.parse(svg)).not.toThrow();
    expect(svg).not.toMatch(/<script|onload=["']|style=/i);
    expect(textsOf(svg).join('')).toContain(
      [...title]
        .slice(0, 4)
        .join('')
        .replace(/[\ufffe\uffff\u0000]/g, '\ufffd'),
    );
  });

  test('is under 3 KB, and only shapes and words, for any words', () => {
    const words = fc.oneof(
      ...(['grapheme', 'binary'] as const).map((unit) => fc.string({ unit, maxLength: 200 })),
      fc
        .constantFrom('"', "'", '&', '🦊', 'W', 'W ', 'ا', '狐', 'i', 'e\u0301\u0302\u0303')
        .map((one) => [...one.repeat(200)].slice(0, 200).join('')),
    );
    const text = fc.record({
      kind: fc.constantFrom<CoverText['kind']>('book', 'skill'),
      slug: fc.stringMatching(/^[a-z0-9]{1,64}$/),
      title: words,
      makers: words,
    });
    fc.assert(
      fc.property(text, (item) => {
        const svg = drawCover(item);
        expect(Buffer.byteLength(svg)).toBeLessThan(3000);
        expect(
          svg
            .match(/<\/?[a-z]+/g)
            ?.every((tag) => /^<\/?(svg|defs|pattern|rect|circle|path|g|text)$/.test(tag)),
        ).toBeTrue();
        Bun.XML.parse(svg);
      }),
      { numRuns: runs(150) },
    );
  });

  test('is equal for equal words, and different for another slug', () => {
    expect(drawCover(heron)).toBe(drawCover({ ...heron }));
    const slugs = Array.from({ length: 200 }, (_, n) => `heron-${n}`);
    const different = new Set(slugs.map((slug) => drawCover({ ...heron, slug })));
    expect(different.size).toBeGreaterThan(150);
  });

  test('is 2:3 for a book and square for a skill', () => {
    expect(drawCover(heron)).toContain('viewBox="0 0 240 360"');
    expect(drawCover({ ...heron, kind: 'skill' })).toContain('viewBox="0 0 300 300"');
  });

  test('has its words above the middle of a book, and in the middle of a skill', () => {
    const label = new RegExp(` y="(\\d+)" width="\\d+" height="(\\d+)" fill="${LABEL}"`);
    const middles = (['book', 'skill'] as const).map((kind) => {
      const [, y, height] = label.exec(drawCover({ ...heron, kind })) ?? [];
      return Number(y) + Number(height) / 2;
    });
    expect(middles[0]).toBeLessThan(170);
    expect(middles[1]).toBeCloseTo(150, 0);
  });

  test('wraps a title, and shortens one that is too long', () => {
    expect(textsOf(drawCover({ ...heron, title: 'The Sky Before Rain' }))).toEqual([
      'The Sky',
      'Before',
      'Rain',
      'Marsh Press',
    ]);
    const long = textsOf(drawCover({ ...heron, title: 'word '.repeat(40) }));
    expect(long).toHaveLength(7);
    expect(long[5]).toEndWith('…');
  });

  test('begins no line with a mark that closes what was before, in a text without spaces', () => {
    for (let n = 0; n < 12; n++) {
      const title = `${'观'.repeat(n)}城市鸟类观察指南:给初学者、的简明」读本。(第二版)`;
      const lines = textsOf(drawCover({ ...heron, title }));
      expect(lines.filter((line) => /^[:、」。)]/.test(line))).toEqual([]);
      expect(lines.slice(0, -1).join('')).toBe(title);
    }
  });

  test('is readable: words on the label have 4.5:1 or more, and the tones of each paper differ', () => {
    expect(contrast(INK, LABEL)).toBeGreaterThan(7);
    for (const { ground, figure } of PAPERS) {
      expect(contrast(ground, LABEL)).toBeGreaterThan(4.5);
      expect(contrast(ground, figure)).toBeGreaterThan(1.5);
    }
    expect(PATTERNS.length).toBeGreaterThan(9);
  });
});

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

describe('GET /covers/<name>', async () => {
  const stall = await openStall({
    files: {
      ...SHELF,
      'books/given-book/item.yaml': itemYaml({ id: 'given', unitAmountCents: 100, cover: 'c/front.PNG' }),
      'books/given-book/c/front.PNG': PNG,
      'skills/vector/item.yaml': itemYaml({ cover: 'front.svg' }),
      'skills/vector/SKILL.md': skillMd('vector'),
      'skills/vector/front.svg': SVG,
    },
  });
  const nameOf = async (slug: string): Promise<string> => {
    const { coverUrl } = await import('../../src/catalog/cover.ts');
    return coverUrl(stall.app.catalog().bySlug.get(slug)!);
  };
  const owner = await stall.app.admin.accounts.add('owner@example.org', true);
  await stall.reader('holder@example.org', 'archived-book', 'draft-book');
  await stall.reader('other@example.org');
  const cookies = {
    nobody: {},
    other: await stall.signIn('other@example.org'),
    holder: await stall.signIn('holder@example.org'),
    owner: await stall.signIn(owner.email),
  };

  test.each([
    ['free-book', [200, 200, 200, 200]],
    ['paid-book', [200, 200, 200, 200]],
    ['given-book', [200, 200, 200, 200]],
    ['draft-book', [404, 404, 404, 200]],
    ['archived-book', [404, 404, 200, 200]],
  ])('of %s is for nobody, an account, a holder and the owner: %j', async (slug, expected) => {
    const answers = await Promise.all(
      Object.values(cookies).map(async (headers) => stall.fetch(await nameOf(slug), { headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual(expected);
    const isPublished = !/draft|archived/.test(slug);
    for (const { status, headers } of answers)
      if (status === 200)
        expect(headers.get('cache-control')).toBe(
          isPublished ? 'public, max-age=31536000, immutable' : 'private, no-cache',
        );
  });

  test("is the publisher's image if there is one", async () => {
    const response = await stall.fetch(await nameOf('given-book'));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(await response.bytes()).toEqual(PNG);
  });

  test('as an SVG of the publisher runs nothing, and is a download when opened by itself', async () => {
    const { headers } = await stall.fetch(await nameOf('vector'));
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('content-disposition')).toBe('attachment');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('has an ETag and a HEAD', async () => {
    const name = await nameOf('free-book');
    const response = await stall.fetch(name);
    const etag = response.headers.get('etag') ?? '';
    const length = String((await response.bytes()).length);
    expect((await stall.fetch(name, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    expect((await stall.fetch(name, { method: 'HEAD' })).headers.get('content-length')).toBe(length);
  });

  test.each([
    'free-book',
    'free-book-0123456789abcdef.svg',
    'no-book-0123456789abcdef.svg',
    '..%2f..%2fstall.yaml',
    '<script>',
  ])('is not found by the name %s', async (name) => {
    expect((await stall.fetch(`/covers/${name}`)).status).toBe(404);
  });
});
