import { connect, type Socket } from 'node:net';

/** An answer as it stood on the wire; header names are lower case, a repeated one keeps its last value. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Opens a connection and sends the lines of one request, each ended by CRLF, then `body` as it is. */
export function openSocket(url: string, lines: readonly string[], body: string | Uint8Array = ''): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  if (body.length > 0) socket.write(body);
  return socket;
}

/** One request over a connection of its own; null if the server closed without an answer. */
export async function sendRaw(
  url: string,
  lines: readonly string[],
  body: string | Uint8Array = '',
): Promise<RawAnswer | null> {
  const socket = openSocket(url, lines, body);
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    received += String(chunk);
    if (isWhole(received, lines[0] ?? '')) break;
  }
  socket.destroy();
  return received === '' ? null : parse(received);
}

/** A GET of one target with the given header lines. */
export function getRaw(
  url: string,
  target: string,
  ...headers: readonly string[]
): Promise<RawAnswer | null> {
  return sendRaw(url, [
    `GET ${target} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Connection: close',
    ...headers,
  ]);
}

function isWhole(received: string, requestLine: string): boolean {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const { status, headers, body } = parse(received);
  if (requestLine.startsWith('HEAD ') || status === 304) return true;
  if (headers['transfer-encoding'] === 'chunked') return body.endsWith('0\r\n\r\n');
  return body.length >= Number(headers['content-length'] ?? 0);
}

function parse(received: string): RawAnswer {
  const end = received.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = received.slice(0, end).split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: received.slice(end + 4),
  };
}
