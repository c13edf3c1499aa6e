/** The outcome of a request: the status of an answer, the connection closed without one, or silence until the rest comes. */
export type Outcome = number | 'closed' | 'waits';

/**
 * One request as bytes on the wire, and its allowed outcomes. The cases are those of h1spec and of Http11Probe's suites
 * on malformed input, compliance and smuggling, in our own words and against our own routes.
 */
export type RawCase = {
  readonly name: string;
  /** Latin-1; KEY is replaced by a live API key. */
  readonly bytes: string;
  /** Bytes that complete a waiting request, which is then answered 200. */
  readonly rest?: string;
  /** The outcomes the RFC allows for the first answer, or the one we promise if it leaves a choice. */
  readonly allowed: readonly Outcome[];
  /** The answers after the first, if the bytes hold several requests. */
  readonly next?: readonly number[];
  /** The section and what it says. */
  readonly why: string;
  /** Who decides: Bun's parser before any handler, or Bookstall. */
  readonly by: 'bun' | 'bookstall';
  /** What Bun's parser does although the RFC says otherwise, and the pull request or issue of oven-sh/bun that is about it. */
  readonly despite?: { readonly outcome: Outcome; readonly upstream: string };
};

/** Replaced by the live key of a reader who holds "paid-book" and "paid-skill", which is as long. */
export const KEY = `svc_${'K'.repeat(38)}`;
export const BEARER = `Authorization: Bearer ${KEY}`;

/** A question that is answered 200 when exactly these bytes arrive, and 400 or 404 when others do. */
export const QUESTION = '{"book_id":"paid-id","query":"heron"}';

/** The path a smuggled request would fetch. No other case asks for it: the log must never show its route. */
export const SMUGGLED_ROUTE = '/api/skills/:slug/files';
export const SMUGGLED = `GET /api/skills/paid-skill/files HTTP/1.1\r\nHost: x\r\n${BEARER}\r\n\r\n`;

/** A head of these lines, ended by an empty one. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** `GET /api/items` with a good Host and these lines after it. */
export function get(...headers: readonly string[]): string {
  return head('GET /api/items HTTP/1.1', 'Host: x', ...headers);
}

/** A question to the one route that reads a body: `body` comes as it is, framed by what `headers` say. */
export function ask(headers: readonly string[], body: string): string {
  return (
    head('POST /api/agent/fetch HTTP/1.1', 'Host: x', BEARER, 'Content-Type: application/json', ...headers) +
    body
  );
}

/** A question whose body is `chunks` as they are. */
export function askChunked(chunks: string): string {
  return ask(['Transfer-Encoding: chunked'], chunks);
}

/** The text as one chunk, without the last one. */
export function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`;
}

export const LENGTH = `Content-Length: ${QUESTION.length}`;
export const LAST = '0\r\n\r\n';
