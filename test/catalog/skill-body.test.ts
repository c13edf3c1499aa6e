import { describe, expect, test } from 'bun:test';
import { bodyProblems } from '../../src/catalog/front-matter.rule.ts';

const head = '---\nname: field-kit\ndescription: Tells how\n---\n';

/** The findings on a skill of these files beside its SKILL.md, as `client code path`. */
function findings(body: string, files: Readonly<Record<string, string>> = {}): string[] {
  return problems(body, files).map(({ client, code, path }) => `${client} ${code} ${path}`);
}

function problems(body: string, files: Readonly<Record<string, string>> = {}) {
  const all: Readonly<Record<string, string>> = { 'SKILL.md': head + body, ...files };
  return bodyProblems({
    text: head + body,
    files: Object.entries(all).map(([path, text]) => ({ path, size: Buffer.byteLength(text) })),
    readText: (path) => all[path] ?? null,
  });
}

describe('length', () => {
  test.each([
    ['496 lines after the front matter', 'line\n'.repeat(496), []],
    ['a last line without its end', `${'line\n'.repeat(495)}line`, []],
    ['497 lines', 'line\n'.repeat(497), ['spec skill-too-long SKILL.md']],
    ['497 lines with CRLF', 'line\r\n'.repeat(497), ['spec skill-too-long SKILL.md']],
    ['20,000 bytes', 'x'.repeat(20_000), []],
    ['20,001 bytes', 'x'.repeat(20_001), ['spec skill-many-tokens SKILL.md']],
    ['6,700 Chinese characters', '字'.repeat(6_700), ['spec skill-many-tokens SKILL.md']],
  ])('%s: %p', (_, body, expected) => {
    expect(findings(body)).toEqual(expected);
  });

  test('is named with its number and how it was counted', () => {
    expect(problems('x'.repeat(30_000))[0]?.sentence).toBe(
      'The body of SKILL.md has about 7500 tokens, at four bytes each, more than 5000',
    );
  });
});

describe('a link', () => {
  const held = {
    'references/guide.md': '# Guide\n',
    'references/a b.md': '',
    'references/snake_case.md': '',
    'scripts/run.py': '',
    'assets/pic.png': '',
    LICENSE: '',
    'LICENSE.txt': '',
  };

  test.each([
    'See [the guide](references/guide.md).',
    'See [the guide](./references/guide.md#part "title").',
    'See [the guide](<references/a b.md>) and [again](references/a%20b.md?raw).',
    'See [the guide](references/snake\\_case.md).',
    'See [the guide][g].\n\n[g]: references/guide.md',
    '![picture](assets/pic.png) and [![picture](assets/pic.png)](scripts/run.py)',
    'See [the folder](references/) and [this one](.) and [itself](SKILL.md).',
    'See [the licence](LICENSE).',
    '[site](https://example.org/x.md) <https://example.org/y.md> [mail](mailto:a@b.example) <a@b.example>',
    '[root](/etc/hosts.md) [protocol](//example.org/x.md) [file](file:///x.md) [data](data:text/plain,x.md)',
    '[anchor](#part) [query](?x=y.md)',
    '`[code](missing.md)`',
    '```md\n[fenced](missing.md)\n```',
    '~~~~\n```\n[fenced](missing.md)\n~~~~',
    '    [indented](missing.md)',
    '<!-- [comment](missing.md) -->',
    '\\[escaped](missing.md)',
    'Write a link as [text](url), an image as ![alt](src).',
    '[a form]({path}/x.md) [another](${DIR}/y.md) [third](<dir>/z.md) [glob](references/*.md) [gap](…/a.md)',
    'Run scripts/missing.py, then read `references/missing.md`.',
    'array[0](x) and f[a](b)',
  ])('%p is not complained of', (body) => {
    expect(findings(body, held)).toEqual([]);
  });

  test.each([
    ['See [the guide](references/missing.md).', 'references/missing.md'],
    ['See [the guide](./references//missing.md#part).', 'references/missing.md'],
    ['See [the guide](References/Guide.md).', 'References/Guide.md'],
    ['See [the guide][g].\n\n[g]: missing.md', 'missing.md'],
    ['![picture](assets/missing.png)', 'assets/missing.png'],
    ['[![picture](assets/missing.png)](references/guide.md)', 'assets/missing.png'],
    ['See [the price](item.yaml).', 'item.yaml'],
    ['See [the other skill](../other/SKILL.md).', '../other/SKILL.md'],
    ['See [far away](references/../../../x.md).', '../../x.md'],
    ['See [a folder](templates/).\n\nSee [it](templates/) again.', null],
    ['See [one](missing.md), [two](missing.md#a) and [three](./missing.md).', 'missing.md'],
  ])('%p leads nowhere: %p', (body, path) => {
    const found = problems(body, held);
    expect(found.map(({ code }) => code)).toEqual(path === null ? [] : ['broken-link']);
    if (path !== null)
      expect(found[0]).toMatchObject({ client: null, severity: 'warning', path: 'SKILL.md' });
    if (path !== null) expect(found[0]?.sentence).toContain(`"${path}"`);
  });
});

describe('a name in another case than its file', () => {
  const held = { 'reference.md': '', 'scripts/run.py': '', 'README.md': '', 'notes/list.txt': '' };

  test.each([
    ['Read REFERENCE.md first.', 'REFERENCE.md', 'reference.md'],
    ['For forms see `Reference.md`: it has all.', 'Reference.md', 'reference.md'],
    ['```sh\npython Scripts/run.py --all\n```', 'Scripts/run.py', 'scripts/run.py'],
    ['Read **REFERENCE.MD**, and "./Notes/list.txt".', 'REFERENCE.MD', 'reference.md'],
  ])('in %p is named', (body, name, path) => {
    const [first] = problems(body, held);
    expect(first).toMatchObject({ code: 'name-case', severity: 'warning', path: 'SKILL.md', client: null });
    expect(first?.sentence).toBe(`SKILL.md names "${name}", but the file is "${path}"`);
  });

  test.each([
    'Read reference.md, then scripts/run.py and notes/list.txt.',
    'Write a skill.md of your own, and a MISSING.md.',
    'See https://example.org/REFERENCE.md and other/REFERENCE.md.',
    'Reference the scripts. Notes are optional.',
  ])('is not found in %p', (body) => {
    expect(findings(body, held)).toEqual([]);
  });

  test('in a link is a broken link only', () => {
    expect(findings('See [it](REFERENCE.md).', held)).toEqual(['null broken-link SKILL.md']);
  });
});

describe('a reference', () => {
  const see = 'See [a](references/a.md).\n';

  test.each<[string, string, Record<string, string>, string[]]>([
    [
      'leads to one that SKILL.md does not name',
      see,
      { 'references/a.md': '[b](b.md)', 'references/b.md': '' },
      ['spec deep-reference references/a.md'],
    ],
    [
      'leads there from the skill root',
      see,
      { 'references/a.md': '[b](references/b.md)', 'references/b.md': '' },
      ['spec deep-reference references/a.md'],
    ],
    [
      'leads to one that SKILL.md links',
      `${see}[b](references/b.md)`,
      { 'references/a.md': '[b](b.md)', 'references/b.md': '' },
      [],
    ],
    [
      'leads to one that SKILL.md names in code',
      `${see}Read \`references/b.md\`.`,
      { 'references/a.md': '[b](b.md)', 'references/b.md': '' },
      [],
    ],
    [
      'leads to one in a folder SKILL.md links',
      `${see}[all](references/)`,
      { 'references/a.md': '[b](b.md)', 'references/b.md': '' },
      [],
    ],
    ['leads back, and to itself', see, { 'references/a.md': '[up](../SKILL.md) [top](a.md#top)' }, []],
    [
      'shows images and links scripts',
      see,
      {
        'references/a.md': '![p](../assets/p.png) [s](../scripts/s.py)',
        'assets/p.png': '',
        'scripts/s.py': '',
      },
      [],
    ],
    [
      'has broken links of its own',
      see,
      { 'references/a.md': '[gone](gone.md) [site](https://example.org)' },
      [],
    ],
    ['is one that SKILL.md does not link', '', { 'references/a.md': '[b](b.md)', 'references/b.md': '' }, []],
    ['leads on from a deep folder', '[a](docs/x/y/a.md)', { 'docs/x/y/a.md': '# Long\n' }, []],
    [
      'is over 1 MiB',
      see,
      { 'references/a.md': `[b](b.md)${' '.repeat(1024 ** 2)}`, 'references/b.md': '' },
      [],
    ],
  ])('that %s', (_, body, files, expected) => {
    expect(findings(body, files)).toEqual(expected);
  });

  test('that hides several is one finding', () => {
    const files = {
      'references/a.md': '[b](b.md) [c](c.md) [b](b.md)',
      'references/b.md': '',
      'references/c.md': '',
    };
    expect(problems(see, files).map(({ sentence }) => sentence)).toEqual([
      '"references/a.md" leads on to "references/b.md" and 1 more, which SKILL.md does not name',
    ]);
  });

  test('that cannot be read is passed over', () => {
    const text = `${head}${see}`;
    const files = [
      { path: 'SKILL.md', size: text.length },
      { path: 'references/a.md', size: 9 },
    ];
    expect(bodyProblems({ text, files, readText: () => null })).toEqual([]);
  });
});

test('a hostile SKILL.md is read', () => {
  const files = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`r/${n}.md`, '[next](x.md)']));
  for (const body of [
    '['.repeat(1e6),
    '![]('.repeat(2e5),
    '> '.repeat(5e5),
    Array.from({ length: 40_000 }, (_, n) => `[a](r/${n}.md)`).join(' '),
    'x'.repeat(4 * 1024 ** 2),
  ])
    findings(body, files);
});
