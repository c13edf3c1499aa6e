// Documents of OAuth clients: a client's id is the address at which it says who it is
// (draft-ietf-oauth-client-id-metadata-document).
import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { createRateLimit } from '../accounts/throttle.ts';
import { DAY, HOUR, MINUTE } from '../platform/base/duration.ts';
import { createKept } from '../platform/base/cache.ts';
import { fieldsOf, jsonOf } from '../platform/http/body.ts';
import { isPublic } from '../platform/http/address.ts';
import { type Client, readDocument } from './client.rule.ts';

/**
 * The bounds of documents: `bytes` of one, `time` to read one in milliseconds, and how many are read for one reader and for
 * all.
 */
export const DOCUMENT = {
  bytes: 5 * 1024,
  time: 3_000,
  ofReader: { burst: 3, interval: MINUTE / 3 },
  ofStall: { burst: 10, interval: MINUTE / 10 },
};

const MOST_KEPT = 500;
/** How long after it was read a document is used while its address does not answer, in milliseconds. */
const LAST_GOOD = 7 * DAY;

/** How names are resolved, where connections go, and who vouches for certificates. Only tests use another than `INTERNET`. */
export type Network = {
  readonly resolve: (host: string) => Promise<readonly { readonly address: string }[]>;
  readonly dial?: (address: string) => string;
  readonly ca?: string;
};

const INTERNET: Network = { resolve: (host) => lookup(host, { all: true }) };

/**
 * Finds the client whose id is the address of a document, for a reader; null if the document cannot be read or does not
 * fit.
 */
export type FindDocument = (id: string, accountId: string) => Promise<Client | null>;

export function createClientDocuments(now: () => number, network: Network = INTERNET): FindDocument {
  const kept = createKept<{ readonly client: Client; readonly at: number; readonly until: number }>(
    MOST_KEPT,
  );
  const [ofReader, ofStall] = [createRateLimit(DOCUMENT.ofReader), createRateLimit(DOCUMENT.ofStall)];
  const mayRead = (accountId: string, at: number): boolean => {
    if (ofReader.wait(accountId, at) > 0 || ofStall.wait('', at) > 0) return false;
    ofReader.take(accountId, at);
    ofStall.take('', at);
    return true;
  };
  return async (id, accountId) => {
    const [at, known] = [now(), kept.get(id)];
    if (known !== undefined && at < known.until) return known.client;
    const last = known !== undefined && at < known.at + LAST_GOOD ? known.client : null;
    const read = mayRead(accountId, at) ? await fetchDocument(id, network).catch(() => null) : null;
    if (read === null) return last;
    const client = readDocument(id, read.fields);
    if (client === null) kept.drop(id);
    else kept.set(id, { client, at, until: at + read.age });
    return client;
  };
}

/** Fetches a document within its time, including the look-up of its host. Rejects whatever is not a whole answer of 200. */
function fetchDocument(id: string, network: Network) {
  const signal = AbortSignal.timeout(DOCUMENT.time);
  const late = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => late.reject(signal.reason));
  return Promise.race([late.promise, readAt(id, network, signal)]);
}

async function readAt(id: string, network: Network, signal: AbortSignal) {
  const answer = await ask(id, network, signal);
  try {
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      size += chunk.length;
      if (size > DOCUMENT.bytes) throw new Error('too long');
      chunks.push(chunk);
    }
    return { fields: fieldsOf(jsonOf(Buffer.concat(chunks))), age: ageOf(answer) };
  } finally {
    answer.destroy();
  }
}

/**
 * Sends the request to the checked addresses alone, since the name may lead elsewhere the next time. The certificate must
 * be of the name. `request` follows no redirects, and knows no variables for proxies.
 */
async function ask(id: string, { resolve, dial = (one) => one, ca }: Network, signal: AbortSignal) {
  const found = await resolve(new URL(id).hostname.replace(/^\[|\]$/g, ''));
  if (found.length === 0 || !found.every(({ address }) => isPublic(address))) throw new Error('not public');
  const addresses = found.map(({ address }) => ({ address: dial(address), family: isIP(dial(address)) }));
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'bookstall' };
  const asked = request(id, {
    signal,
    ca,
    headers,
    agent: false,
    lookup: (_, __, done) => done(null, addresses),
  })
    .on('response', answer)
    // An endless row of interim answers (1xx) would be read until the time is over, and fill memory.
    .on('information', () => asked.destroy(new Error('no answer')))
    .on('error', reject);
  asked.end();
  return promise;
}

function ageOf({ headers }: IncomingMessage): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(headers['cache-control'] ?? '')?.[1] ?? 0;
  return Math.min(Math.max(Number(seconds) * 1000, HOUR), DAY);
}
