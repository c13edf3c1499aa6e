import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { answerDifferences } from '../platform/http/shapes.ts';

/** Hidden in any text: directions, tags, zero widths, and the selectors of a look that nothing has. */
const HIDDEN = [
  ...'\u061C\u200B\u200C\u200D\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069',
  ...'\u034F\u180E\u206A\u206F\u3164\uFEFF\uFFA0\u{E0001}\u{E0020}\u{E0041}\u{E007F}\u{E0100}\u{E01EF}',
];
const BESIDE = [
  'plain words',
  'if x == 1:',
  'Größe – “so”',
  'بالعربية',
  '✅ done ❤️ ',
  '漢字',
  'क्षत्रिय',
  'ไทย',
];
const PATHS = ['SKILL.md', 'notes/a.txt', 'run', 'tool.py', 'page.html', 'long.md'];

/** 500 of them, each in a line of its own, in files of which one is longer than two chunks. */
const planted = Array.from({ length: 500 }, (_, n) => {
  const character = HIDDEN[n % HIDDEN.length] ?? '';
  const path = PATHS[n % PATHS.length] ?? '';
  return { character, path, beside: BESIDE[n % BESIDE.length] ?? '' };
});

const texts = new Map(PATHS.map((path) => [path, path === 'run' ? '#!/usr/bin/env -S python3.12 -u\n' : '']));
texts.set('SKILL.md', '---\nname: kit\ndescription: A kit.\nallowed-tools: Read Bash(git add:*)\n---\n');
const lines = planted.map(({ character, path, beside }, n) => {
  const text = texts.get(path) ?? '';
  const long = path === 'long.md' && n % 12 === 5 ? `${'word '.repeat(15_000)}\n` : '';
  // A Latin letter before and behind: no script joins it.
  texts.set(path, `${text}${long}${beside}a${character}b ${beside}\n`);
  const line = (text + long).split('\n').length;
  const name = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  return `${path}:${line} ${name}`;
});

/** Characters that these texts need. */
const NEEDED = [
  '\uFEFFA mark begins the file',
  '👩\u200D👩\u200D👧 ❤️\u200D🔥 🏳️\u200D🌈 👨🏽\u200D💻 1️⃣ ©️',
  '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}',
  'می\u200Cخواهم ه\u200D क्\u200Dष क्\u200Cष ක්\u200Dර ന്\u200D',
  'ភាសា\u200Bខ្មែរ ไทย\u200Bไทย 葛\u{E0100} ᠠ\u180B Zeichen\u00ADkette ב\u05B0\u034F\u05B1',
].join('\n');

const elf = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]);
const stall = await openStall({
  files: {
    ...SHELF,
    'skills/kit/item.yaml': itemYaml({ unitAmountCents: 900 }),
    ...Object.fromEntries(Array.from(texts, ([path, text]) => [`skills/kit/${path}`, text])),
    'skills/kit/bin/tool': elf,
    'skills/kit/scripts/go.sh': 'curl https://user:word@Evil.Example:8080/x "https://${HOST}/y"\n',
    'skills/kit/wide.txt': Buffer.from('\uFEFFa\u202Eb\n', 'utf16le'),
    'skills/clean/item.yaml': itemYaml(),
    'skills/clean/SKILL.md': `---\nname: clean\ndescription: A skill.\n---\n`,
    'skills/clean/texts.md': NEEDED,
  },
});
const { headers } = await stall.reader('ann@example.org', 'kit');
const inventoryOf = async (slug: string, more: Readonly<Record<string, string>> = {}) => {
  const path = `/api/items/${slug}/inventory`;
  const answer = await stall.fetch(path, { headers: more });
  const body = await answer.text();
  const said = { status: answer.status, type: answer.headers.get('content-type'), body };
  expect(answerDifferences('GET /api/items/:slug/inventory', said)).toEqual([]);
  return JSON.parse(body);
};
type Place = { fact: string; path: string; line: number | null; what: string };

test('500 planted hidden characters are found with file and line, in UTF-16 too', async () => {
  const { counts, places } = await inventoryOf('kit', headers);
  const found = places
    .filter(({ fact }: Place) => fact === 'hidden')
    .map(({ path, line, what }: Place) => `${path}:${line} ${what}`);
  expect(found.toSorted()).toEqual([...lines, 'wide.txt:1 U+202E'].toSorted());
  expect(counts.hidden).toBe(501);
});

test('characters that a text needs are not hidden ones', async () => {
  expect((await inventoryOf('clean')).counts).toEqual({
    executable: 0,
    program: 0,
    host: 0,
    tool: 0,
    hidden: 0,
  });
});

test('counts and languages are for everybody, and places for those who may read the whole', async () => {
  const { places, ...open } = await inventoryOf('kit');
  expect(places).toBeNull();
  expect(open.counts).toMatchObject({ program: 1, host: 1, tool: 2 });
  expect(
    open.languages.map(({ name, files }: { name: string; files: number }) => `${name} ${files}`),
  ).toEqual(['Python 2', 'Shell 1']);
  const whole = await inventoryOf('kit', headers);
  expect(whole).toMatchObject(open);
  const others = whole.places.filter(({ fact }: Place) => fact !== 'hidden' && fact !== 'executable');
  expect(others).toEqual([
    { fact: 'program', path: 'bin/tool', line: null, what: 'ELF' },
    { fact: 'host', path: 'scripts/go.sh', line: 1, what: 'evil.example' },
    { fact: 'tool', path: 'SKILL.md', line: null, what: 'Read' },
    { fact: 'tool', path: 'SKILL.md', line: null, what: 'Bash(git add:*)' },
  ]);
  const page = async (init = {}) => (await stall.fetch('/skills/kit', init)).text();
  expect(await page()).toContain('What is inside');
  expect(await page()).not.toContain('evil.example');
  expect(await page({ headers: await stall.signIn('ann@example.org') })).toContain(
    'scripts/go.sh:1 evil.example',
  );
});

test('an edition of an older version gets the same facts at the first demand', async () => {
  const known = await inventoryOf('kit', headers);
  const edition = stall.app.catalog().bySlug.get('kit');
  if (edition === undefined) throw new Error('No such item');
  const files = edition.files.map(({ facts: _, ...file }) => file);
  const older = { ...edition, files };
  (stall.app.catalog().bySlug as Map<string, typeof older>).set('kit', older);
  expect(await inventoryOf('kit', headers)).toEqual(known);
});
