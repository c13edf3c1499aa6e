/** One thing that happened. `event` is a stable word; the fields hold no key, no question and no query string. */
export type LogEntry = {
  readonly event: string;
  readonly [field: string]: string | number | boolean | null | undefined;
};

export type Log = (entry: LogEntry) => void;

/**
 * Writes entries as one line each: JSON with an ISO time first, or words for a person at a terminal. The lines of requests
 * are written together once the event loop has served what was ready, by one system call; any other entry at once, after them.
 */
export function createLog(form: 'json' | 'pretty', write: (lines: string) => void): Log {
  const format = form === 'json' ? formatJson : formatPretty;
  let waiting: { readonly entry: LogEntry; readonly time: number }[] = [];
  const flush = (): void => {
    const lines = waiting.map(({ entry, time }) => `${format(entry, time)}\n`);
    waiting = [];
    if (lines.length > 0) write(lines.join(''));
  };
  return (entry) => {
    if (entry.event === 'request' && waiting.length === 0) setImmediate(flush);
    waiting.push({ entry, time: Date.now() });
    if (entry.event !== 'request') flush();
  };
}

function formatJson(entry: LogEntry, time: number): string {
  return JSON.stringify({ time: new Date(time).toISOString(), ...entry });
}

function formatPretty({ event, message, ...fields }: LogEntry, time: number): string {
  if (event === 'request') return formatRequest(fields, time);
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return steerless([clock(time), message ?? event, ...rest].join('  '));
}

/** File names and others' texts stand in messages: nothing of them steers the terminal or passes for a line of its own. */
function steerless(text: string): string {
  return text.replaceAll('\n', '\n    ').replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

function formatRequest(fields: Readonly<Record<string, unknown>>, time: number): string {
  const { status, method, route, ms, bytes, account } = fields;
  const who = account === null ? '' : `  ${account}`;
  return `${clock(time)}  ${status}  ${method} ${route}  ${ms} ms  ${bytes} B${who}`;
}

function clock(time: number): string {
  return new Date(time).toTimeString().slice(0, 8);
}
