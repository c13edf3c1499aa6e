import {
  type DailyUsage,
  listDownloads,
  listQuestions,
  listUsage,
  type PagedDownload,
  type PagedQuestion,
} from '../asking/log.ts';
import { priceOf, type Prices, readPrices } from '../platform/config/model.ts';
import { iso, readUsage, type OutputRow, UsageError } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';

export const logCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'logs',
    summary: 'Show the log of questions, downloads or tokens',
    flags: {
      '--account EMAIL': 'those of one account',
      '--kind fetch|download|usage': 'questions, archives taken or tokens a day (default fetch)',
      '--since ISO': 'those from this time on, such as 2026-12-01',
      '--json': 'print a line of JSON for each row',
    },
    examples: ['bookstall logs --kind download --since 2026-11-01'],
    run(stall, input, terminal) {
      const [account, since] = [input.text('account'), input.text('since')];
      const kind = readKind(input.text('kind') ?? 'fetch');
      const prices = readUsage(() => readPrices(terminal.environment));
      const rows = {
        fetch: () => listQuestions(stall, account, since).map(showFetch),
        download: () => listDownloads(stall, account, since).map(showDownload),
        usage: () => listUsage(stall, account, since).map((usage) => showUsage(usage, prices)),
      };
      const shown: readonly OutputRow[] = rows[kind]();
      if (terminal.isJson) for (const row of shown) terminal.json(row);
      else terminal.list(shown, kind === 'download' ? 'No downloads yet.' : 'No questions yet.');
    },
  }),
];

function readKind(text: string): 'fetch' | 'download' | 'usage' {
  if (text === 'fetch' || text === 'download' || text === 'usage') return text;
  throw new UsageError(`Cannot show logs of kind "${text}": give fetch, download or usage`);
}

/** Formats a day's usage with its estimated cost, in which cached tokens count at full price. */
function showUsage(usage: DailyUsage, prices: Prices | null) {
  const cost = priceOf(prices, usage.inputTokens, usage.outputTokens);
  return { ...usage, cost: cost === null ? null : Number(cost.toFixed(4)) };
}

function showFetch({ bookId: book, door, engine, outcome, answerBytes: bytes, ...row }: PagedQuestion) {
  const [first, others] = splitRow(row);
  return { ...first, book, door, engine, outcome, bytes, ...others };
}

function showDownload({ kind, slug, door, bytes, digest, itemKey: _, ...row }: PagedDownload) {
  const [first, others] = splitRow(row);
  return { ...first, kind, slug, door, bytes, digest: `sha256:${digest}`, ...others };
}

type EachRow = Pick<PagedDownload, keyof PagedDownload & keyof PagedQuestion>;

/** Splits a row into the columns with which both logs begin, and all others, so that a new column is shown too. */
function splitRow<Row extends Omit<EachRow, 'door'>>(all: Row) {
  const { id, at, email, accountId, keyId, keyName: _, keyPrefix: __, row: ___, ...others } = all;
  const key = keyId === null ? null : String(keyId);
  return [{ id, time: iso(at), account: email ?? accountId, key }, others] as const;
}
