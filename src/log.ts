/** One thing that happened. `event` is a stable word; the fields hold no key, no question and no query string. */
export type LogEntry = {
  readonly event: string;
  readonly [field: string]: string | number | boolean | null | undefined;
};

export type Log = (entry: LogEntry) => void;

/** In milliseconds. */
const TOGETHER = 20;

/**
 * Writes entries as one line each: JSON with an ISO time first, or words for a person at a terminal. The lines of requests
 * wait for each other, at most `TOGETHER`, and are written by one system call; any other entry at once, after them.
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
    waiting.push({ entry, time: Date.now() });
    if (entry.event !== 'request') flush();
    else if (waiting.length === 1) setTimeout(flush, TOGETHER);
  };
}

function formatJson(entry: LogEntry, time: number): string {
  return `{"time":"${isoTime(time)}",${JSON.stringify(entry).slice(1)}`;
}

let last = { time: 0, iso: new Date(0).toISOString() };

/** Lines of one millisecond share it. */
function isoTime(time: number): string {
  if (time !== last.time) last = { time, iso: new Date(time).toISOString() };
  return last.iso;
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
