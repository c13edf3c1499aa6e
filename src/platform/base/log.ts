/**
 * An entry of the log. `event` is a fixed word for programs to search for. No field may contain a key, a question or a query
 * string.
 */
export type LogEntry = {
  readonly event: string;
  readonly [field: string]: string | number | boolean | null | undefined;
};

export type Log = (entry: LogEntry) => void;

/** How long lines about requests are buffered to be written together, in milliseconds. */
const TOGETHER = 20;
const MINUTE = 60_000;

/** Events whose cause may last. The first entry is written, and the repetitions only as one summary a minute. */
const LASTING: ReadonlySet<unknown> = new Set([
  'artefact-broken',
  'data-directory',
  'downloads-lost',
  'embeddings-failed',
  'mail-late',
  'model-cut',
  'model-cut-prompt',
  'model-protocol',
  'model-refused',
  'model-unreachable',
  'storage-unavailable',
  'views-late',
]);

/**
 * Statuses and routes of requests that anybody may send in great numbers: anonymous requests that no rate limit counts, or that
 * one refused. Twenty of a kind are written, and the others only as one summary a minute.
 */
const CHEAP: ReadonlySet<unknown> = new Set([304, 400, 404, 405, 429]);
const FREE: ReadonlySet<unknown> = new Set(['/livez', '/readyz', '/assets/:name', '/covers/:name']);
const REQUESTS = 20;

/** The maximum number of kinds that are counted at once. Entries of further kinds are all written. */
const MOST_KINDS = 1000;

type Sum = { left: number; times: number; bytes: number; last: LogEntry };

/**
 * Makes a log that writes each entry as one line: JSON that begins with an ISO time, or words for a person at a terminal. Lines
 * about requests are buffered for `TOGETHER` milliseconds and written by one system call; any other entry is written at once,
 * with the buffered ones before it. Repeated causes and floods of cheap requests are written as one summary every `minute`
 * milliseconds, with their number as `times`.
 */
export function createLog(
  form: 'json' | 'pretty',
  write: (lines: string) => void,
  minute: number = MINUTE,
): Log {
  const format = form === 'json' ? formatJson : formatPretty;
  const sums = new Map<string, Sum>();
  let waiting: { readonly entry: LogEntry; readonly time: number }[] = [];
  const flush = (): void => {
    const lines = waiting.map(({ entry, time }) => `${format(entry, time)}\n`);
    waiting = [];
    if (lines.length > 0) write(lines.join(''));
  };
  const add = (entry: LogEntry): void => {
    waiting.push({ entry, time: Date.now() });
    if (entry.event !== 'request') flush();
    else if (waiting.length === 1) setTimeout(flush, TOGETHER);
  };
  const endMinute = (kind: string, sum: Sum): void => {
    if (sum.times === 0) return void sums.delete(kind);
    add(summary(sum));
    sums.set(kind, { ...sum, left: 0, times: 0, bytes: 0 });
    setTimeout(() => endMinute(kind, sums.get(kind)!), minute).unref();
  };
  const isCounted = (kind: string, entry: LogEntry): boolean => {
    const sum = sums.get(kind);
    if (sum === undefined) {
      if (sums.size >= MOST_KINDS) return false;
      const opened = { left: mostOf(entry) - 1, times: 0, bytes: 0, last: entry };
      sums.set(kind, opened);
      setTimeout(() => endMinute(kind, sums.get(kind)!), minute).unref();
      return false;
    }
    if (sum.left > 0) {
      sum.left--;
      return false;
    }
    sum.times++;
    sum.bytes += Number(entry['bytes'] ?? 0);
    sum.last = entry;
    return true;
  };
  return (entry) => {
    const kind = kindOf(entry);
    if (kind !== null && isCounted(kind, entry)) return;
    if (entry.event === 'stopped' || entry.event === 'stopped-at-once')
      for (const sum of sums.values()) if (sum.times > 0) add(summary(sum));
    add(entry);
  };
}

function kindOf({ event, message, account, method, route, status }: LogEntry): string | null {
  if (LASTING.has(event)) return `${event} ${String(message).replaceAll(/\d+/g, '#')}`;
  const isCheap = event === 'request' && account === null && (CHEAP.has(status) || FREE.has(route));
  return isCheap ? `${event} ${status} ${method} ${route}` : null;
}

const mostOf = ({ event }: LogEntry): number => (event === 'request' ? REQUESTS : 1);

function summary({ times, bytes, last }: Sum): LogEntry {
  if (last.event !== 'request') return { ...last, times };
  const { method, route, status } = last;
  const message = `${times} more requests ${method} ${route} were answered with ${status}`;
  return { event: 'requests', message, method, route, status, bytes, times };
}

const formatJson = (entry: LogEntry, time: number): string =>
  `{"time":"${new Date(time).toISOString()}",${JSON.stringify(entry).slice(1)}`;

function formatPretty({ event, message, ...fields }: LogEntry, time: number): string {
  if (event === 'request') return formatRequest(fields, time);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return steerless([clock(time), message ?? event, ...rest].join('  '));
}

/** Makes a line safe: foreign text, such as a file name, must not control the terminal or look like another line. */
const steerless = (text: string): string =>
  text.replaceAll('\n', '\n    ').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '?');

function formatRequest(fields: Readonly<Record<string, unknown>>, time: number): string {
  const { status, method, route, ms, bytes, account } = fields;
  const who = account === null ? '' : `  ${account}`;
  return `${clock(time)}  ${status}  ${method} ${route}  ${ms} ms  ${bytes} B${who}`;
}

const clock = (time: number): string => new Date(time).toTimeString().slice(0, 8);
