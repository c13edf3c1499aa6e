// Proxies from the environment, as curl reads it. Bun's fetch uses these variables; Node's does so only in later versions
// and with a flag, so under Node requests through a proxy are made here: absolute form for http (RFC 9112 §3.2.2), a
// CONNECT tunnel for https (RFC 9110 §9.3.6).
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import tls from 'node:tls';
import type { Settings } from '../config.ts';
import { Refusal } from '../refusal.ts';
import { parseUrl } from './address.ts';
import { createDeferred } from './deferred.ts';

type ProxyRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
};

/** The proxy for a URL, or null. HTTPS_PROXY or HTTP_PROXY by its scheme, else ALL_PROXY, unless NO_PROXY names the host. */
export function proxyFor(url: URL, environment: Settings): URL | null {
  const read = (name: string): string => String(environment[name.toLowerCase()] ?? environment[name] ?? '');
  const named = read(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || read('ALL_PROXY');
  if (named === '' || isExempt(url, read('NO_PROXY'))) return null;
  const proxy = parseUrl(named.includes('://') ? named : `http://${named}`);
  if (proxy !== null && /^https?:$/.test(proxy.protocol)) return proxy;
  throw new Refusal(
    'invalid-request',
    'Cannot use the proxy of the environment: give it as http://HOST:PORT',
  );
}

function isExempt({ hostname, host }: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .map((name) => name.replace(/^\*?\./, ''))
    .some((name) => name === '*' || (name !== '' && (name === host || `.${hostname}`.endsWith(`.${name}`))));
}

/** Sends a request through a proxy and gives the response as `fetch` would; does not follow redirects. */
export async function fetchThrough(
  proxy: URL,
  url: URL,
  { body, ...sending }: ProxyRequest,
): Promise<Response> {
  const isTunnel = url.protocol === 'https:';
  const socket = isTunnel ? await openTunnel(proxy, url, sending.signal) : undefined;
  const answered = createDeferred<http.IncomingMessage>();
  const request = isTunnel
    ? https.request(url, { ...sending, agent: false, createConnection: () => socket })
    : http.request(proxy, {
        ...sending,
        path: url.href,
        headers: { ...sending.headers, Host: url.host, ...authorization(proxy) },
      });
  request.on('response', answered.resolve).on('error', answered.reject);
  request.end(body);
  const message = await answered.promise;
  const status = message.statusCode ?? 500;
  const stream = [204, 304].includes(status) ? null : Readable.toWeb(message);
  const headers = Object.entries(message.headers).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new Response(stream as WebStream<Uint8Array> | null, { status, headers });
}

async function openTunnel(proxy: URL, { hostname, port }: URL, signal: AbortSignal): Promise<tls.TLSSocket> {
  const path = `${hostname}:${port || 443}`;
  const connected = createDeferred<tls.TLSSocket>();
  const { request } = proxy.protocol === 'https:' ? https : http;
  request(proxy, {
    method: 'CONNECT',
    path,
    signal,
    headers: { Host: path, ...authorization(proxy) },
    agent: false,
  })
    .on('connect', ({ statusCode }, socket) => {
      if (statusCode !== 200) {
        socket.destroy();
        return connected.reject(new Error(`the proxy answered ${statusCode}`));
      }
      const secured = tls.connect({ socket, servername: hostname.replace(/^\[|\]$/g, '') });
      secured.once('secureConnect', () => connected.resolve(secured)).once('error', connected.reject);
      // The CONNECT request is over, so nothing else would end a handshake that hangs.
      const leave = (): void => void secured.destroy(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
    })
    .on('error', connected.reject)
    .end();
  return connected.promise;
}

function authorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
