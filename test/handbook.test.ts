import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../src/accounts/password.rule.ts';
import { OFFICE_SESSION, READER_SESSION } from '../src/accounts/session.rule.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../src/platform/base/duration.ts';
import { CODES } from '../src/platform/http/failure.ts';
import { TOOL_SHAPES } from '../src/agents/shapes.ts';
import { FEED_ENTRIES } from '../src/shop/feed.page.ts';
import { LEAST_CHOSEN } from '../src/catalog/manifest.rule.ts';
import {
  LONGEST_ALIAS,
  LONGEST_EXPECTED,
  LONGEST_PROSE,
  manifestKeys,
  MOST_ALIASED_WORDS,
  MOST_ALIASES,
  MOST_PRAISE,
} from '../src/catalog/manifest-key.rule.ts';
import { LONGEST_FILE_NAME, LONGEST_SLUG } from '../src/catalog/path.rule.ts';
import { COVER_IN_WORDS, PICTURES, SHOWN_PICTURES } from '../src/catalog/picture.rule.ts';
import {
  defaultStallManifest,
  MOST_FEATURED,
  MOST_PICTURES,
  MOST_SIGNERS,
} from '../src/catalog/stall-manifest.rule.ts';
import { MOST_COPIES } from '../src/selling/goods.rule.ts';
import * as office from '../src/words/en/office.ts';
import { PURPOSES } from '../src/accounts/one-time-link.ts';
import { LONGEST_NOTE } from '../src/reading/note.ts';
import { PROOF_TIME } from '../src/accounts/second-step.ts';
import { MOST_CONFIRMATIONS } from '../src/selling/subscriber.sql.ts';
import { listed } from '../src/platform/base/text.ts';
import { ENGINES } from '../src/platform/config/model-engines.ts';
import { OUTCOMES } from '../src/words/outcome.ts';
import { OFFERED } from '../src/words/words.ts';
import { keyVariable, secretVariable, setupVariable } from '../src/platform/config/sales.ts';
import { addressesOf } from '../src/publishing/sell-check.ts';
import { EXPORTING, MOST_ORDERS } from '../src/selling/order-import.ts';
import {
  isSigning,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
} from '../src/words/payment-provider.ts';
import { LARGEST_PACKED, SKILL_LIMITS } from '../src/catalog/limit.rule.ts';
import { LONGEST_TEXT, MOST_CHAPTERS } from '../src/catalog/chapter-limit.rule.ts';
import { LARGEST_SAMPLE_SHOWN } from '../src/shop/item-text.part.tsx';
import { COVER_WIDTH } from '../src/catalog/resize-cover.worker.ts';
import { LONGEST_DESCRIPTION, MOST_SKILL_BYTES, MOST_SKILL_FILES } from '../src/catalog/book-skill.rule.ts';
import { MOST_PATHS } from '../src/catalog/file-changes.ts';
import { MOST_EXCERPTS } from '../src/asking/search/query.ts';
import { MOST_NEEDS } from '../src/catalog/need.rule.ts';
import { LONGEST_PIECE } from '../src/catalog/quote-proof.rule.ts';
import { MOST_WRONG_CODES } from '../src/accounts/one-time-link.sql.ts';
import { LONGEST_SKILL } from '../src/catalog/front-matter.rule.ts';
import { MOST_IGNORE_LINES, MOST_WILD_LINES } from '../src/catalog/ignore.rule.ts';
import { LONGEST_CHANGES } from '../src/catalog/changelog.rule.ts';
import { SETTINGS } from '../src/platform/config/config.ts';
import { KEPT_AFTER_INSTALL } from '../src/publishing/publish.ts';
import { KEY_DAYS } from '../src/accounts/key.rule.ts';
import { CLAIMED_WITHIN } from '../src/selling/claim.ts';
import { FIGURE_DAYS } from '../src/catalog/figures.ts';
import { MOST_QUESTIONS } from '../src/catalog/questions.rule.ts';
import { LONGEST_ANSWER } from '../src/asking/engines/model.ts';
import { LONGEST_EXACT } from '../src/reading/anchor.rule.ts';
import { defaultLimits } from '../src/platform/base/item-limits.ts';
import { UNUSED_CONNECTION } from '../src/accounts/connection.ts';
import { WEBHOOK_READ_TIME } from '../src/selling/webhook.api.ts';
import { LONGEST_HISTORY, MOST_EARLIER } from '../src/asking/ask.ts';
import { type } from './platform/cli/type.ts';
import { openStall } from './helpers/harness.ts';

const PROJECT = join(import.meta.dir, '..');
const HANDBOOK = join(PROJECT, 'content/books/handbook');
const chapters = readdirSync(HANDBOOK).filter((name) => name.endsWith('.md'));
const read = (name: string): string => readFileSync(join(HANDBOOK, name), 'utf8');
const settings = read('4b-settings.md');

const NUMBERS = 'no one two three four five six seven eight nine ten'.split(' ');

/** The first cells of the tables of a section, with the names in each. */
function cellsOf(heading: string, chapter: string): readonly (readonly string[])[] {
  const [, section = ''] = chapter.split(`\n## ${heading}\n`);
  const [body = ''] = section.split('\n## ');
  const cells = [...body.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

const named = (heading: string): readonly string[] => cellsOf(heading, settings).flat();

/** The routes of a cell, such as "`GET`, `POST /api/x`" and "`GET /api/x`, `…/y`". */
function routesOf(names: readonly string[]): readonly string[] {
  const methods = names.flatMap((name) => /^[A-Z]+/.exec(name) ?? []);
  const [first = '', ...others] = names.flatMap((name) => /[/…].*$/.exec(name) ?? []);
  const beside = first.slice(0, first.lastIndexOf('/'));
  const paths = [first, ...others.map((path) => path.replace('…', beside))];
  return paths.flatMap((path) => methods.map((method) => `${method} ${path}`));
}

test('the table of endpoints names every route of the API, and no other', async () => {
  const { app } = await openStall();
  const served = app.server.routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '<$1>')}`);
  const isApi = (route: string) => route.includes(' /api/');
  const told = cellsOf('Endpoints', read('4c-api.md')).flatMap(routesOf);
  expect(told.filter(isApi).toSorted()).toEqual(served.filter(isApi).toSorted());
});

test('the table of MCP names every tool, and no other', () => {
  const told = cellsOf('The tools of MCP', read('3b-connect-your-agent.md')).flat();
  expect(told).toEqual(Object.keys(TOOL_SHAPES));
});

test('the table of errors names every code of a failure, and no other', () => {
  expect(cellsOf('Errors', read('4c-api.md')).flat().toSorted()).toEqual(CODES.toSorted());
});

test('the tables of answers name every outcome and every engine, and no other', () => {
  const answers = read('2h-answers.md');
  expect(cellsOf('Outcomes', answers).flat().toSorted()).toEqual(OUTCOMES.toSorted());
  const cells = cellsOf(`Who answers: the ${NUMBERS[ENGINES.length]} engines`, answers).flat();
  expect(cells).toEqual(['BOOKSTALL_ENGINE', ...ENGINES]);
  expect(settings).toContain(`| ${listed(ENGINES.map((engine) => `\`${engine}\``))} `);
});

test('the table of item.yaml names every key that an item may have, and no other', () => {
  const keys = [...Object.keys(manifestKeys.book), ...Object.keys(manifestKeys.skill)];
  expect([...named('item.yaml')].sort()).toEqual([...new Set(keys)].sort());
});

test('the table of stall.yaml names every key that a stall may have, and no other', () => {
  expect([...named('stall.yaml')].sort()).toEqual(Object.keys(defaultStallManifest).sort());
});

/** The variables in a text. Those of several providers, of tests and of files count as the one that they stand beside. */
function variablesIn(text: string): ReadonlySet<string> {
  const found = text.match(/BOOKSTALL_(?:\$\{[^}]+\}_)?[A-Z]+(?:_[A-Z]+)*(?!_?[A-Z]*_?\$)/g) ?? [];
  const provider = new RegExp(`_(?:\\$\\{[^}]+\\}|${PAYMENT_PROVIDERS.join('|').toUpperCase()})_`);
  return new Set(found.map((name) => name.replace(provider, '_PROVIDER_').replace(/_(?:FILE|TEST)$/, '')));
}

test('the tables of variables name every one that the program reads, and no other', async () => {
  const sources = await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(PROJECT));
  const code = sources.map((path) => readFileSync(join(PROJECT, path), 'utf8')).join('\n');
  expect([...variablesIn(settings)].sort()).toEqual([...variablesIn(code)].sort());
});

const providersWith = (has: (provider: PaymentProvider) => boolean = () => true) =>
  PAYMENT_PROVIDERS.filter(has).map((provider) => PROVIDER_NAMES[provider]);
const providersIn = (text: string) =>
  providersWith((one) => new RegExp(`${one}|${PROVIDER_NAMES[one]}`, 'i').test(text));

test.each([...chapters, '../../../README.md'])(
  'a line of %s that names three providers names all',
  (name) => {
    const groups = [providersWith(), providersWith(isSigning), [...EXPORTING]].map((group) =>
      group.toSorted(),
    );
    for (const line of read(name).split('\n'))
      if (providersIn(line).length > 2) expect(groups, line).toContainEqual(providersIn(line).toSorted());
  },
);

/** The files of src with a line, apart from comments, in which `namesIn` finds more than two names. */
async function filesNaming(namesIn: (line: string) => readonly string[]): Promise<readonly string[]> {
  const sources = await Array.fromAsync(new Bun.Glob('src/**/*.{ts,tsx}').scan(PROJECT));
  const named = sources.filter((path) => {
    const code = readFileSync(join(PROJECT, path), 'utf8').replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, '');
    return code.split('\n').some((line) => namesIn(line).length > 2);
  });
  return named.toSorted();
}

test('a line of code that names three providers is of a table that the compiler checks', async () => {
  expect(await filesNaming(providersIn)).toEqual([
    'src/platform/config/sales.ts',
    'src/publishing/sell-test.ts',
    'src/words/payment-provider.ts',
  ]);
});

test('no line of code names three kinds of pictures, but for advice in the office', async () => {
  const endings = Object.values(PICTURES).map(
    (kind) => new RegExp(`\\b(?:${kind.endings.join('|')})\\b`, 'i'),
  );
  const picturesIn = (line: string) => endings.filter((ending) => ending.test(line)).map(String);
  expect(await filesNaming(picturesIn)).toEqual([
    'src/words/de/office/refusals.ts',
    'src/words/de/office/settings.ts',
    'src/words/en/office/refusals.ts',
    'src/words/en/office/settings.ts',
  ]);
});

test('the tables and variables of providers are those of the code', () => {
  const rowsOf = (chapter: string, column: string) =>
    [...read(chapter).matchAll(new RegExp(`^\\| (\\S[^|]*?) +\\| \`([^\`]*${column}[^\`]*)\``, 'gm'))].map(
      ([, name = '', cell = '']) => `${name} ${cell}`,
    );
  const expected = (cellOf: (provider: PaymentProvider) => string | null) =>
    PAYMENT_PROVIDERS.flatMap((one) => {
      const cell = cellOf(one);
      return cell === null ? [] : [`${PROVIDER_NAMES[one]} ${cell}`];
    });
  expect(rowsOf('2e-selling.md', '_SETUP_KEY').toSorted()).toEqual(expected(setupVariable).toSorted());
  const returns = expected((one) => addressesOf(one, 'https://stall.example.org').returnUrl);
  expect(rowsOf('2f-mail-and-claims.md', '/claim/').toSorted()).toEqual(returns.toSorted());
  const variables = PAYMENT_PROVIDERS.flatMap((one) => [keyVariable(one), secretVariable(one)]);
  expect(variables.filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
});

test('README and the chapter of the shop name every language that a publisher is offered', () => {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  const nameOf = (tag: string) => (names.of(tag) ?? tag).replace('Simplified', 'simplified');
  const plain = OFFERED.map(nameOf);
  const tagged = OFFERED.map((tag) => `${nameOf(tag)} (\`${tag}\`)`);
  expect(read('../../../README.md')).toContain(`pages and mails are in ${listed(plain, 'and')}, by`);
  expect(read('2g-shop-and-office.md')).toContain(`: ${listed(tagged, 'and')}. Without`);
  expect(read('2g-shop-and-office.md')).toContain(`come in ${NUMBERS[OFFERED.length]} languages`);
});

test.each(chapters)('the links of %s lead to chapters and headings that are there', (name) => {
  const idsOf = (text: string) =>
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );
  for (const [link, target = '', id] of read(name).matchAll(/\]\(([\w-]+\.md)?(?:#([^)]+))?\)/g)) {
    expect(existsSync(join(HANDBOOK, target || name)), link).toBeTrue();
    if (id !== undefined) expect(idsOf(read(target || name)), link).toContain(id);
  }
});

test.each(['README.md', 'CONTRIBUTING.md'])('the links of %s lead to files that are there', (name) => {
  const links = [...readFileSync(join(PROJECT, name), 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)];
  expect(links.filter(([, path = '']) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

test('the table of mails names every kind of mail, and no other', () => {
  const [, table = ''] = read('2f-mail-and-claims.md').split('| mail ');
  const [rows = ''] = table.split('\n\n');
  const told = [...rows.matchAll(/^\| ([a-z][a-z-]*) /gm)].map(([, name = '']) => name);
  expect(told.toSorted()).toEqual(Object.keys(office.mails.kindNames).toSorted());
});

/** The first parts of addresses that programs read, and people do not. */
const FOR_PROGRAMS =
  /^(?:api|assets|livez|readyz|client\.tgz|git|shelf\.git|marketplace\.json|\.well-known|i|covers|opds|mcp|openapi\.json|llms\.txt)$/;

test('the table of pages names every page, by the first part of its address', async () => {
  const { app } = await openStall();
  const firstOf = (path: string) => path.split('/')[1] ?? '';
  const pages = app.server.routes.flatMap(({ method, path }) => (method === 'GET' ? [firstOf(path)] : []));
  const [, table = ''] = read('2g-shop-and-office.md').split('| address ');
  const [rows = ''] = table.split('\n\n');
  const told = new Set([...rows.matchAll(/`(\/[^`]*)`/g)].map(([, path = '']) => firstOf(path)));
  expect([...told].toSorted()).toEqual(
    [...new Set(pages)].filter((page) => !FOR_PROGRAMS.test(page)).toSorted(),
  );
});

test('the template of stall.yaml names every language that a publisher is offered', () => {
  const template = readFileSync(join(PROJECT, 'src/publishing/stall-template.yaml'), 'utf8');
  expect(template).toContain(`#languages: [${OFFERED.join(', ')}]`);
});

const digits = (count: number): string => count.toLocaleString('en');
const password = `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
const ofReader = `${READER_SESSION.longest / DAY} days at most, and no longer than ${READER_SESSION.idle / DAY} days without a request`;
const ofOffice = `for ${OFFICE_SESSION.longest / DAY} days and ${OFFICE_SESSION.idle / HOUR} hours`;

const MIB = 1024 ** 2;
const skills = (of: string): string =>
  SKILL_LIMITS.flatMap(({ client, files, bytes }) =>
    client === of ? [`${digits(files)} files or ${bytes / MIB} MiB`] : [],
  ).join('');

const leftOut = SHOWN_PICTURES.flatMap(({ ebook, endings: [first] }) =>
  ebook === null ? first.toUpperCase() : [],
);

/** The limits that other chapters than that of limits tell, and the kinds of pictures, made from their constants. */
test.each<[chapter: string, said: string]>([
  ['2a-books-and-skills.md', `at most ${LONGEST_SLUG} characters of \`a\` to \`z\``],
  ['2d-accounts-and-grants.md', `within ${PURPOSES.invite.words}`],
  ['3a-read-and-install.md', `up to ${digits(LONGEST_NOTE)} characters`],
  ['2a-books-and-skills.md', `1 to ${LONGEST_SLUG} letters, digits`],
  ['1-first-sale.md', `works once, for ${PURPOSES.setup.words};`],
  ['2a-books-and-skills.md', `of over ${LONGEST_TEXT / MIB} MiB is never a chapter`],
  ['2a-books-and-skills.md', `the first ${MOST_CHAPTERS / MIB} MiB of chapters`],
  ['2a-books-and-skills.md', `Markdown sample, up to ${LARGEST_SAMPLE_SHOWN / 1024} KiB, begins`],
  ['2a-books-and-skills.md', `up to ${MOST_PRAISE} quotations`],
  ['2a-books-and-skills.md', `A \`cover\` is ${COVER_IN_WORDS}; pages show it ${COVER_WIDTH} pixels wide`],
  [
    '2a-books-and-skills.md',
    `At most ${MOST_ALIASED_WORDS} words, each a single word of up to ${LONGEST_ALIAS} characters, with at most ${MOST_ALIASES} aliases`,
  ],
  ['2a-books-and-skills.md', `of 1 to ${digits(LONGEST_DESCRIPTION)} characters`],
  ['2a-books-and-skills.md', `over ${LONGEST_SKILL} lines`],
  ['2a-books-and-skills.md', `an archive over ${LARGEST_PACKED / MIB} MiB, over ${skills('well-known')}`],
  ['2a-books-and-skills.md', `over ${skills('mcp')}`],
  ['2a-books-and-skills.md', `at most ${digits(MOST_IGNORE_LINES)} lines, ${MOST_WILD_LINES} of them`],
  ['2a-books-and-skills.md', `at most ${LONGEST_FILE_NAME} bytes, without`],
  ['2c-editions.md', `notes of this edition, up to ${digits(LONGEST_CHANGES)} characters`],
  [
    '2c-editions.md',
    `the last ${NUMBERS[Number(SETTINGS['keep-editions'][1])]} editions of an item, and those that somebody installed in the last ${KEPT_AFTER_INSTALL / DAY} days`,
  ],
  ['2c-editions.md', `${Number(SETTINGS['keep-bytes'][1]) / MIB / 1024} GiB by default`],
  ['2d-accounts-and-grants.md', `valid once and for ${PURPOSES.setup.words}`],
  ['2d-accounts-and-grants.md', `link, good once, for ${PURPOSES.email.words}`],
  ['2d-accounts-and-grants.md', `stops working **after ${KEY_DAYS} days**`],
  ['2e-selling.md', `claims order 17 (SK30K-YMYZX), within ${PURPOSES.claim.words}.`],
  ['2e-selling.md', `A file has at most ${digits(MOST_ORDERS)} orders`],
  ['2f-mail-and-claims.md', `is forgotten after ${PURPOSES.news.words}`],
  ['2f-mail-and-claims.md', `once, within ${PURPOSES.claim.words}:`],
  ['2f-mail-and-claims.md', `claims an order once, within ${CLAIMED_WITHIN / HOUR} hours`],
  ['2f-mail-and-claims.md', `works once within ${PURPOSES.claim.words}`],
  ['2g-shop-and-office.md', `by outcome, for ${FIGURE_DAYS} days or`],
  ['2h-answers.md', `${digits(MOST_QUESTIONS)} questions and`],
  ['2h-answers.md', `ends after ${digits(LONGEST_ANSWER)} characters`],
  ['2k-security.md', `for ${KEY_DAYS} days unless you say otherwise`],
  [
    '2m-when-something-goes-wrong.md',
    `invites and resets for ${PURPOSES.invite.words}, the set-up link for ${PURPOSES.setup.words}`,
  ],
  ['3a-read-and-install.md', `marked, up to ${digits(LONGEST_EXACT)} characters`],
  [
    '3a-read-and-install.md',
    `at most ${digits(defaultLimits.files)} and ${defaultLimits.bytes / MIB / 1024} GiB`,
  ],
  ['3a-read-and-install.md', `for ${KEPT_AFTER_INSTALL / DAY} days after it was last installed`],
  ['3b-connect-your-agent.md', `at least every ${UNUSED_CONNECTION / DAY} days`],
  ['2a-books-and-skills.md', `may need up to ${MOST_NEEDS} items`],
  ['2h-answers.md', `up to ${NUMBERS[MOST_EXCERPTS]} excerpts`],
  ['../../../README.md', `up to ${NUMBERS[MOST_EXCERPTS]} excerpts`],
  ['2f-mail-and-claims.md', `${NUMBERS[MOST_WRONG_CODES]} wrong codes end`],
  ['3a-read-and-install.md', `up to ${LONGEST_PIECE} bytes on each side`],
  ['3b-connect-your-agent.md', `of over ${MOST_SKILL_FILES} files or ${MOST_SKILL_BYTES / MIB} MiB reaches`],
  ['4c-api.md', `\`changes\` has up to ${MOST_PATHS} paths`],
  ['3b-connect-your-agent.md', `A text of over ${LONGEST_TEXT / MIB} MiB is not read`],
  [
    '4b-settings.md',
    `Markdown, at most ${digits(LONGEST_PROSE)} characters; a skill's: plain text, at most ${digits(LONGEST_DESCRIPTION)}`,
  ],
  ['4b-settings.md', `| the path of ${COVER_IN_WORDS} |`],
  ['3c-e-readers.md', `(\`epub-picture\`: ${leftOut.join(', ')}, damaged files,`],
  ['4b-settings.md', `one line, at most ${LONGEST_EXPECTED} characters`],
  ['4b-settings.md', `what is new, up to ${digits(LONGEST_CHANGES)} characters`],
  ['4b-settings.md', `\`about\` (Markdown, up to ${digits(LONGEST_PROSE)} characters)`],
  ['4b-settings.md', `up to ${MOST_PRAISE} of \`quote\``],
  ['4b-settings.md', `at most ${digits(LONGEST_PROSE)} characters and ${MOST_PICTURES} pictures`],
  ['4b-settings.md', `up to ${MOST_FEATURED} slugs`],
  ['4b-settings.md', `up to ${MOST_SIGNERS} lines such as`],
  ['4c-api.md', `a delivery took over ${WEBHOOK_READ_TIME / SECOND} seconds`],
  ['4c-api.md', `up to ${NUMBERS[MOST_EARLIER]}, ${digits(LONGEST_HISTORY)} characters together`],
  ['2d-accounts-and-grants.md', `A password has ${password}`],
  ['2d-accounts-and-grants.md', `if your last one is older than ${PROOF_TIME / MINUTE} minutes`],
  ['2d-accounts-and-grants.md', ofReader],
  ['2d-accounts-and-grants.md', ofOffice],
  ['2e-selling.md', `More than ${MOST_COPIES} copies wait for you`],
  ['2e-selling.md', `too little, over ${MOST_COPIES} copies`],
  ['2f-mail-and-claims.md', `more than ${NUMBERS[MOST_CONFIRMATIONS]} such mails`],
  ['2k-security.md', `passwords have ${password}`],
  ['4b-settings.md', `1 to ${LONGEST_SLUG} letters, digits`],
  ['4b-settings.md', `\`unitAmountCents\`, ${LEAST_CHOSEN} or more`],
  ['4c-api.md', `the ${FEED_ENTRIES} newest editions, Atom`],
])('%s says "%s"', (chapter, said) => {
  expect(read(chapter).replaceAll(/ +/g, ' ')).toContain(said);
});

test.each(Object.values(SETTINGS).filter(([, fallback]) => fallback !== ''))(
  'the chapter of settings names %s with its default %s',
  (variable, fallback) => {
    const [row = ''] = settings.split('\n').filter((line) => line.startsWith(`| \`${variable}\``));
    expect(row.split('|')[2]?.trim()).toBe(`\`${fallback}\``);
  },
);

test('the Handbook has at most 34,000 words', () => {
  const words = chapters.flatMap((name) =>
    read(name)
      .split(/\s+/)
      .filter((word) => word !== ''),
  );
  expect(words.length).toBeLessThanOrEqual(34_000);
});

test('questions.yaml of each book in content names sections that are there', async () => {
  const { out } = await type(['check', '--json', '--content', join(PROJECT, 'content')]);
  const entries = JSON.parse(out) as { questions: object | null; problems: { code: string }[] }[];
  expect(entries.filter(({ questions }) => questions !== null)).toHaveLength(3);
  const problems = entries.flatMap((entry) => entry.problems);
  // The examples with a price are sold only by a demo.
  expect(problems.filter(({ code }) => code !== 'unsold')).toEqual([]);
});
