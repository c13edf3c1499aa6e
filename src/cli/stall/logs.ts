import { listDownloads, listQuestions, listUsage, type ShownFetchLog } from '../../service/logs.ts';
import { priceOf, type Prices, readPrices } from '../../config/model.ts';
import type { DailyUsage, ListedDownload } from '../../store/tables/logs.ts';
import { type Command, iso, readUsage, type Row, TEXT, textOf, UsageError } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { printableJson } from '../../item/problem.ts';

export const logCommands: readonly Command[] = [
  adminCommand({
    name: 'logs',
    synopsis: '[--account EMAIL] [--kind fetch|download|usage] [--since ISO]',
    summary:
      'Show questions (fetch), archives taken (download) or tokens a day (usage); --json for JSON Lines',
    options: { account: TEXT, kind: TEXT, since: TEXT },
    words: [0, 0],
    async run(stall, input, terminal) {
      const [account, since] = [textOf(input, 'account'), textOf(input, 'since')];
      const kind = readKind(textOf(input, 'kind') ?? 'fetch');
      const prices = readUsage(() => readPrices(terminal.environment));
      const rows = {
        fetch: async () => (await listQuestions(stall, account, since)).map(showFetch),
        download: async () => (await listDownloads(stall, account, since)).map(showDownload),
        usage: async () => (await listUsage(stall, account, since)).map((usage) => showUsage(usage, prices)),
      };
      const shown: readonly Row[] = await rows[kind]();
      if (terminal.isJson) for (const row of shown) terminal.out(`${printableJson(row)}\n`);
      else terminal.list(shown, kind === 'download' ? 'No downloads yet.' : 'No questions yet.');
    },
  }),
];

function readKind(text: string): 'fetch' | 'download' | 'usage' {
  if (text === 'fetch' || text === 'download' || text === 'usage') return text;
  throw new UsageError(`Cannot show logs of kind "${text}": give fetch, download or usage`);
}

/** The cost is an estimate: it knows no cached tokens, which cost less. */
function showUsage(usage: DailyUsage, prices: Prices | null) {
  const cost = priceOf(prices, usage.inputTokens, usage.outputTokens);
  return { ...usage, cost: cost === null ? null : Number(cost.toFixed(4)) };
}

function showFetch({
  id,
  askedAt,
  email,
  accountId,
  keyId,
  bookId,
  door,
  engine,
  outcome,
  answerBytes,
  inputTokens,
  outputTokens,
  latencyMs,
}: ShownFetchLog) {
  const who = { account: email ?? accountId, key: keyId === null ? null : String(keyId), book: bookId };
  return {
    id,
    time: iso(askedAt),
    ...who,
    door,
    engine,
    outcome,
    bytes: answerBytes,
    inputTokens,
    outputTokens,
    latencyMs,
  };
}

function showDownload({
  id,
  downloadedAt,
  email,
  accountId,
  keyId,
  kind,
  slug,
  digest,
  door,
  bytes,
}: ListedDownload) {
  const who = { account: email ?? accountId, key: keyId === null ? null : String(keyId) };
  return { id, time: iso(downloadedAt), ...who, kind, slug, door, bytes, digest: `sha256:${digest}` };
}
