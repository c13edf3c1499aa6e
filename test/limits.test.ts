// The chapter of limits, made from the constants of the code: a limit that moves or is not told, and a row without a constant, fail here.
import { ACCESS_TIME } from '../src/accounts/connection.ts';
import { MOST_OPEN } from '../src/accounts/connection.sql.ts';
import { DOCUMENT } from '../src/agents/client-document.ts';
import { dictionary } from '@zxcvbn-ts/language-common';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USUAL_LIST, LONGEST_LIST } from '../src/accounts/items.ts';
import { MOST_DEVICES } from '../src/accounts/device-key.sql.ts';
import { MOST_DOCUMENTS } from '../src/reading/device-place.sql.ts';
import { MOST_LIVE } from '../src/accounts/key.rule.ts';
import { PURPOSES } from '../src/accounts/one-time-link.ts';
import { HASH_PACE, HASHES_AT_ONCE, MOST_WAITING, MOST_WAITING_EACH } from '../src/accounts/password.ts';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../src/accounts/password.rule.ts';
import { MOST_RECOVERY, MOST_WRONG } from '../src/accounts/second-step.sql.ts';
import { OFFICE_SESSION, READER_SESSION } from '../src/accounts/session.rule.ts';
import { MOST_SESSIONS } from '../src/accounts/session.sql.ts';
import { ACCOUNT_TRIES, LONGEST_DELAY, NETWORK_TRIES, type Rate } from '../src/accounts/throttle.ts';
import { LONGEST_MESSAGE } from '../src/agents/mcp/mcp.api.ts';
import { CODE_GUESSES, DRAIN } from '../src/app.ts';
import { LONGEST_QUESTION } from '../src/asking/question-words.rule.ts';
import { LONGEST_TEXT_SEARCH, MOST_SEARCHED } from '../src/asking/text-search.ts';
import { LONGEST_SKILL } from '../src/catalog/front-matter.rule.ts';
import { LARGEST_PACKED, SKILL_LIMITS } from '../src/catalog/limit.rule.ts';
import { LONGEST_TEXT, MOST_CHAPTERS } from '../src/catalog/chapter-limit.rule.ts';
import { LONGEST_FILE_NAME } from '../src/catalog/path.rule.ts';
import { LARGEST_LOCK } from '../src/installing/client/lock-file.ts';
import { LARGEST_GIT_REQUEST } from '../src/installing/git.api.ts';
import { MOST_GIT_LINES } from '../src/installing/git/upload-response.ts';
import { LONGEST_CSV_LINE, MOST_CSV_LINES } from '../src/platform/base/csv-rows.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../src/platform/base/duration.ts';
import { PIECE } from '../src/platform/base/file-slice.ts';
import { defaultLimits, MOST_LIMITS } from '../src/platform/base/item-limits.ts';
import { formatBytes } from '../src/platform/base/text.ts';
import { SETTINGS } from '../src/platform/config/config.ts';
import {
  JSON_BOUNDS,
  LONGEST_FORM,
  LONGEST_JSON,
  MOST_FIELDS,
  MOST_PARTS,
} from '../src/platform/http/body.ts';
import { SEARCHES, STREAMS, WAITING_SEARCHES } from '../src/platform/http/budget.ts';
import { BOUNDS, LONGEST_SILENCE, STALLED_DOWNLOAD } from '../src/platform/http/sender.ts';
import { MOST_COUNTED, parseBudget } from '../src/platform/http/sliding-window.ts';
import { KEPT_AFTER_INSTALL } from '../src/publishing/publish.ts';
import { DEEPEST } from '../src/publishing/push.ts';
import { PUSHES_AT_ONCE } from '../src/publishing/push-places.ts';
import { LONGEST_EXACT } from '../src/reading/anchor.rule.ts';
import { MOST_FILE_BYTES } from '../src/reading/files.ts';
import { LONGEST_NOTE, MOST_MARKED } from '../src/reading/note.ts';
import { MOST_NOTE_BYTES, MOST_NOTES } from '../src/reading/note.sql.ts';
import { MOST_OPEN_REPORTS } from '../src/reading/report.sql.ts';
import { LARGEST_MAILED, MOST_MAILED } from '../src/selling/e-reader.ts';
import { MAILS_AN_HOUR } from '../src/selling/mails.ts';
import { LARGEST_IMPORT } from '../src/selling/order-import.page.tsx';
import { EVENT_BOUNDS } from '../src/selling/providers/provider.ts';
import { LARGEST_WEBHOOK, WEBHOOK_READ_TIME, WEBHOOKS_AT_ONCE } from '../src/selling/webhook.api.ts';
import { importedBy } from './exports.ts';

const readChapter = (name: string): string =>
  readFileSync(join(import.meta.dir, '../content/books/handbook', name), 'utf8').replaceAll(/ +/g, ' ');

const CHAPTER = readChapter('4d-limits.md');

const digits = (count: number): string => count.toLocaleString('en');

/** A size in the largest unit of 1,024 that gives a whole number. */
function sizeOf(bytes: number): string {
  const step = [3, 2, 1].find((one) => bytes % 1024 ** one === 0) ?? 0;
  return `${digits(bytes / 1024 ** step)} ${['bytes', 'KiB', 'MiB', 'GiB'][step]}`;
}

function budgetOf(text: string): string {
  const { limit, seconds } = parseBudget(text)!;
  return `${limit} in ${seconds} seconds`;
}

/** The term that links for these purposes share. */
const termOf = (...purposes: (keyof typeof PURPOSES)[]): string =>
  [...new Set(purposes.map((purpose) => PURPOSES[purpose].words))].join(' and ');

const PERIODS = new Map<number, string>([
  [SECOND, 'a second'],
  [MINUTE, 'a minute'],
  [HOUR, 'an hour'],
  [DAY, 'a day'],
]);
const rateOf = ({ burst, interval }: Rate): string => `${burst}, then one ${PERIODS.get(interval)}`;
const wrongOf = (bounds: typeof MOST_WRONG | typeof MOST_RECOVERY): string =>
  bounds.map(([most, time]) => `${most} ${PERIODS.get(time)}`).join(' and ');

const mcp = SKILL_LIMITS.find(({ client }) => client === 'mcp')!;
const [, editions] = SETTINGS['keep-editions'];
const commonest = Math.floor(dictionary['passwords-common'].length / 1000) * 1000;

// Literal here are what Bun decides (heads, the seconds that its timers add, a download's when busy), and open connections.
test.each([
  [
    'Items',
    {
      files: `${digits(defaultLimits.files)}; up to ${digits(MOST_LIMITS.files)} with \`--max-files\``,
      bytes: `${sizeOf(defaultLimits.bytes)}; up to ${digits(MOST_LIMITS.bytes)} with \`--max-bytes\``,
      'a file or folder name': sizeOf(LONGEST_FILE_NAME),
      'a skill': `over ${LONGEST_SKILL} lines, ${mcp.files} files, ${sizeOf(mcp.bytes)} or an archive of ${sizeOf(LARGEST_PACKED)}: a warning, since some agents refuse it`,
      'a text that is read': `${sizeOf(LONGEST_TEXT)}; a longer one is a file, and a warning`,
      'chapters of a book': `${sizeOf(MOST_CHAPTERS)} together; the rest is left out, with a warning, and an error of \`bookstall check\``,
      'editions kept of an item': `${editions}, and those installed in the last ${KEPT_AFTER_INSTALL / DAY} days: \`--keep-editions\`; all within ${sizeOf(Number(SETTINGS['keep-bytes'][1]))}: \`--keep-bytes\``,
      '`bookstall.lock`': sizeOf(LARGEST_LOCK),
    },
  ],
  [
    'Requests',
    {
      'install and library, of one address': `${budgetOf(SETTINGS.budget[1])}: \`--budget\``,
      'all other routes, of one account or address': `${budgetOf(SETTINGS['route-budget'][1])}: \`--route-budget\``,
      'answers that stream to one account': `${STREAMS}`,
      'the head of a request': 'about 16 KiB, 200 lines',
      'a question; its request': `${digits(LONGEST_QUESTION)} characters; ${sizeOf(LONGEST_JSON)}`,
      'a search in texts': `${LONGEST_TEXT_SEARCH} characters, ${MOST_SEARCHED} items; ${SEARCHES} at once of an account or address, ${WAITING_SEARCHES - SEARCHES} wait`,
      'JSON of a request': `${digits(JSON_BOUNDS.values)} values, ${JSON_BOUNDS.depth} levels`,
      'a form; CSV in the office': `${sizeOf(LONGEST_FORM)} beside long texts, ${MOST_FIELDS} fields; about ${sizeOf(LARGEST_IMPORT)}, ${digits(MOST_PARTS)} fields`,
      'a line of imported CSV; its lines': `${sizeOf(LONGEST_CSV_LINE)}; ${digits(MOST_CSV_LINES)}`,
      'a delivery of a payment provider': `${sizeOf(LARGEST_WEBHOOK)}, ${WEBHOOK_READ_TIME / SECOND} seconds, ${WEBHOOKS_AT_ONCE} at once; ${digits(EVENT_BOUNDS.values)} values`,
      'a push': `${sizeOf(Number(SETTINGS['most-push'][1]))}: \`--most-push\`; ${DEEPEST} folders deep; ${PUSHES_AT_ONCE} at once`,
      'a request of git': `${sizeOf(LARGEST_GIT_REQUEST)}, ${digits(MOST_GIT_LINES)} lines`,
      'a message of MCP': sizeOf(LONGEST_MESSAGE),
      'a document of an assistant': `${sizeOf(DOCUMENT.bytes)}, ${DOCUMENT.time / SECOND} seconds; ${DOCUMENT.ofReader.burst} a minute for a reader, ${DOCUMENT.ofStall.burst} for all`,
      'files of an item in one JSON answer': sizeOf(MOST_FILE_BYTES),
      'a page of the catalog': `${USUAL_LIST} items, up to ${digits(LONGEST_LIST)} with \`limit\``,
      'a head that is not complete; a body': `12 seconds; ${LONGEST_SILENCE + 2} seconds`,
      'a connection between two requests': `${LONGEST_SILENCE + 2} seconds; after a download 4 to 5 minutes`,
      'a download whose reader takes nothing': `about ${STALLED_DOWNLOAD} seconds; about 20 when busy`,
      [`downloads of over ${sizeOf(PIECE)} at once`]: `${BOUNDS.perClient} of an account or address; ${BOUNDS.anonymous} of all without an account, ${digits(BOUNDS.total)} with`,
      'answers that run when the server stops': `${DRAIN / SECOND} seconds`,
      'open connections': '`ulimit -n`',
    },
  ],
  [
    'Accounts',
    {
      'live keys of an account; live install tokens': `${MOST_LIVE.key}; ${MOST_LIVE.token}`,
      'assistants of an account; an access token': `${MOST_OPEN}; ${PERIODS.get(ACCESS_TIME)}`,
      'e-readers of an account; their files; books sent to them': `${MOST_DEVICES}; ${digits(MOST_DOCUMENTS)}; ${MOST_MAILED} in 24 hours, of ${formatBytes(LARGEST_MAILED)} each`,
      'a session; of the owner or an editor': `${READER_SESSION.idle / DAY} days without a request, ${READER_SESSION.longest / DAY} in all, ${MOST_SESSIONS} an account; ${OFFICE_SESSION.idle / HOUR} hours, ${OFFICE_SESSION.longest / DAY} days`,
      'an invite or reset link; a set-up or sign-in link': `${termOf('invite', 'reset')}; ${termOf('setup', 'sign-in')}; once`,
      'a link to a new address': `${PURPOSES.email.words}, once; ${MAILS_AN_HOUR} an hour`,
      'a password': `${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters, none of the ${digits(commonest)} commonest`,
      'wrong passwords of one address or /64': rateOf(NETWORK_TRIES),
      'wrong passwords of one account from one address': `a delay of 1, 2, 4 … ${LONGEST_DELAY / SECOND} seconds`,
      'wrong passwords of one account from many addresses': `${rateOf(ACCOUNT_TRIES)} from addresses that failed before`,
      'wrong codes of one address': rateOf(CODE_GUESSES),
      "the owner's [second step](2k-security.md#the-second-step): wrong codes": `${wrongOf(MOST_WRONG)}, of all new networks together, and of each from which a right code came`,
      'wrong recovery codes of one address or /64': wrongOf(MOST_RECOVERY),
      'passwords checked': `${SECOND / HASH_PACE.interval} a second, two at a time, ${MOST_WAITING} waiting, ${MOST_WAITING_EACH} of one address`,
      'words that a note marks; its text, or an answer to a report': `${digits(LONGEST_EXACT)} characters; ${digits(LONGEST_NOTE)} characters`,
      'notes of an account': `${digits(MOST_NOTES)} in a book, ${formatBytes(MOST_NOTE_BYTES)} in all; ${MOST_MARKED} marked on a page`,
      'open reports of an account': `${MOST_OPEN_REPORTS}`,
    },
  ],
] as const)('the table of %s says each limit of the code, and no other', (heading, limits) => {
  const [, section = ''] = CHAPTER.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = [...table.matchAll(/^\| ([^|]+) \| ([^|]+) \|/gm)].map(([, what = '', said = '']) => [
    what,
    said,
  ]);
  const [, , ...told] = rows;
  expect(Object.fromEntries(told)).toEqual(limits);
});

test('the chapter on mail tells the term of a sign-in link', () => {
  expect(readChapter('2f-mail-and-claims.md')).toContain(
    `for ${PURPOSES['sign-in'].words}, in the browser that asked`,
  );
});

test.each(Object.entries(PURPOSES))('the words of a link for %s tell its term', (_, { term, words }) => {
  const units = { minutes: MINUTE, hours: HOUR, days: DAY, year: 365 * DAY };
  const [count = '', unit = ''] = words.split(' ');
  expect((Number(count) || 1) * units[unit as keyof typeof units]).toBe(term);
});

test('the chapter says how many addresses the budgets count, and that two hashes run at once', () => {
  expect(CHAPTER).toContain(`The budgets count ${digits(MOST_COUNTED)} addresses.`);
  expect(HASHES_AT_ONCE).toBe(2);
});

/** The limits that no chapter tells. */
const UNTOLD = [
  // Who meets one is told by the refusal, or cannot type more.
  'src/accounts/group.ts LONGEST_GROUP_NAME',
  'src/accounts/key.rule.ts LONGEST_KEY_NAME',
  'src/accounts/key.ts MOST_ITEMS',
  'src/publishing/publish-key.sql.ts MOST_PUBLISH_KEYS',
  'src/reading/anchor.rule.ts LONGEST_ABOUT',
  'src/reading/item-texts.ts LONGEST_RESOURCE',
  'src/reading/search-form.part.tsx LONGEST_SEARCH',
  'src/selling/announcement.ts LONGEST_TEXT',
  'src/selling/announcement.ts LONGEST_TITLE',
  'src/selling/code.ts LONGEST_CODE_NOTE',
  'src/selling/code.ts MOST_CODES',
  'src/selling/code.ts MOST_USES',
  'src/selling/money-back.ts LONGEST_REASON',
  // Nobody is refused: they bound memory or time, and what is beyond them is left out, or is shown as it is.
  'src/asking/engines/quote-verifier.ts MOST_QUOTES',
  'src/asking/proof.ts LONGEST_PROVEN',
  'src/asking/search/terms.ts MOST_TERMS',
  'src/asking/text-search.ts MOST_FOUND',
  'src/catalog/limit.rule.ts MOST_PIXELS',
  'src/catalog/path.rule.ts MOST_NAMES',
  'src/catalog/quote-proof.rule.ts LONGEST_PROOF',
  'src/reading/markup/formula.ts LONGEST_FORMULA',
];

// Others, some two hundred, are private to a file and to no refusal: they bound work that nobody sees.
test('the chapters tell each limit that is exported or named by a refusal, but for those that nobody looks up', () => {
  const project = join(import.meta.dir, '..');
  const read = (path: string): string => readFileSync(join(project, path), 'utf8');
  const tests = ['test/limits.test.ts', 'test/handbook.test.ts'];
  const told = new Set(tests.flatMap((path) => importedBy(path, read(path))));
  const limits = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(project)].flatMap((path) => {
    const source = read(path);
    const refusals = source.match(/Refusal(?:\.\w+)?\([^;]*/g)?.join() ?? '';
    return Array.from(source.matchAll(/^(export )?const ((?:MOST|LONGEST|LARGEST)_\w+)/gm))
      .filter(([, exported, name = '']) => exported !== undefined || refusals.includes(name))
      .map(([, , name]) => `${path} ${name}`);
  });
  expect(limits.filter((limit) => !told.has(limit)).toSorted()).toEqual(UNTOLD.toSorted());
});
