import { connect } from 'node:net';

/** An answer as it stood on the wire; header names are lower case. */
export type Answer = {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
};

export type Wire = Awaited<ReturnType<typeof openWire>>;

/** A TCP connection that sends bytes as they are and reads answers one by one. `isHead`: the first of them has no body. */
export async function openWire(url: string, { isHead = false } = {}) {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  const answers: Answer[] = [];
  const interim: number[] = [];
  let rest = '';
  let isClosed = false;
  let wake = Promise.withResolvers<void>();
  const notify = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const read = (): boolean => {
    const found = readAnswer(rest, isHead && answers.length === 0);
    if (found === null) return false;
    rest = rest.slice(found.length);
    if (found.answer.status < 200) interim.push(found.answer.status);
    else answers.push(found.answer);
    return true;
  };
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    notify();
  });
  socket.setEncoding('latin1').on('data', (text: string) => {
    rest += text;
    while (read());
    notify();
  });
  await new Promise((resolve) => socket.once('connect', resolve));

  return {
    answers,
    /** Statuses below 200, which come before an answer. */
    interim,
    /** Bytes that are no whole answer. */
    leftover: () => rest,
    isClosed: () => isClosed,
    send(bytes: string): void {
      if (!isClosed && bytes !== '') socket.write(bytes, 'latin1');
    },
    destroy: () => socket.destroy(),
    /** Waits until `count` answers are here or the connection is closed; refuses after 30 s without either. */
    async until(count: number): Promise<void> {
      const end = performance.now() + 30_000;
      while (answers.length < count && !isClosed) {
        const left = end - performance.now();
        if (left <= 0) throw new Error(`Cannot wait longer for answer ${count}: ${answers.length} came`);
        const timer = setTimeout(notify, left);
        await wake.promise;
        clearTimeout(timer);
      }
    },
  };
}

type Found = { readonly answer: Answer; readonly length: number };
type Body = { readonly text: string; readonly length: number };

/** The first whole answer in `text` and its length on the wire; null while it is not whole. */
function readAnswer(text: string, isHead: boolean): Found | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const [, digits] = /^HTTP\/1\.1 ([1-5]\d\d) /.exec(statusLine) ?? [];
  if (digits === undefined) throw new Error(`Cannot read a status line: ${JSON.stringify(statusLine)}`);
  const status = Number(digits);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const isBare = isHead || status < 200 || status === 204 || status === 304;
  const body = isBare ? { text: '', length: 0 } : readBody(text.slice(end + 4), headers);
  return body && { answer: { status, headers, body: body.text }, length: end + 4 + body.length };
}

function readBody(text: string, headers: ReadonlyMap<string, string>): Body | null {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(text);
  const length = Number(headers.get('content-length') ?? 0);
  return text.length < length ? null : { text: text.slice(0, length), length };
}

function readChunks(text: string): Body | null {
  let decoded = '';
  for (let at = 0; ;) {
    const line = text.indexOf('\r\n', at);
    if (line === -1) return null;
    const size = Number.parseInt(text.slice(at, line), 16);
    at = line + 2 + size + 2;
    if (text.length < at) return null;
    if (size === 0) return { text: decoded, length: at };
    decoded += text.slice(line + 2, line + 2 + size);
  }
}
