import type { ShownFetchLog } from '../../service/logs.ts';
import type { ListedDownload } from '../../store/downloads.ts';
import { type Command, DONE, TEXT, textOf, UsageError } from '../command.ts';
import { iso, writeList } from '../output.ts';
import { officeCommand } from './office.ts';

export const logCommands: readonly Command[] = [
  officeCommand({
    name: 'logs',
    synopsis: '[--account EMAIL] [--kind fetch|download] [--since ISO]',
    summary: 'Show the questions asked (fetch) or the archives taken (download); --json for JSON Lines',
    options: { account: TEXT, kind: TEXT, since: TEXT },
    words: [0, 0],
    async run({ logs }, input, terminal) {
      const [account, since] = [textOf(input, 'account'), textOf(input, 'since')];
      const kind = readKind(textOf(input, 'kind') ?? 'fetch');
      const rows =
        kind === 'fetch'
          ? (await logs.fetches(account, since)).map(showFetch)
          : (await logs.downloads(account, since)).map(showDownload);
      if (input.flags['json'] === true) for (const row of rows) terminal.out(`${JSON.stringify(row)}\n`);
      else writeList(terminal, input, rows, kind === 'fetch' ? 'No questions yet.' : 'No downloads yet.');
      return DONE;
    },
  }),
];

function readKind(text: string): 'fetch' | 'download' {
  if (text === 'fetch' || text === 'download') return text;
  throw new UsageError(`Cannot show logs of kind "${text}": give fetch or download`);
}

function showFetch({
  id,
  askedAt,
  email,
  accountId,
  keyId,
  bookId,
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
