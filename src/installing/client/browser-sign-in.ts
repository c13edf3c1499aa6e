import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { Refusal } from '../../platform/base/refusal.ts';
import type { Environment } from '../../platform/config/secret-variable.ts';
import { openBrowser } from './open.cli.ts';
import { fetchJson, ignoreMissing } from './stall-calls.ts';
import { type Dependencies, objectOf, openStallClient } from './stall-client.ts';

const PATIENCE = 10 * 60_000;

/** Whether a browser can be opened from here: not over SSH, and not without a screen, unless BROWSER names one. */
export const hasBrowser = ({ BROWSER, SSH_CONNECTION, DISPLAY, WAYLAND_DISPLAY }: Environment): boolean =>
  Boolean(BROWSER) ||
  (!SSH_CONNECTION && (process.platform !== 'linux' || Boolean(DISPLAY) || Boolean(WAYLAND_DISPLAY)));

/**
 * Gets an API key by the reader's consent on a page of the stall, which leads the browser back to this machine (RFC 8252
 * §7.3). Null if the stall has no such page. Refuses if the reader refuses, or takes over ten minutes.
 */
export async function signInByBrowser(url: string, context: Dependencies): Promise<string | null> {
  const stall = openStallClient(url, null, context);
  const metadata = await fetchJson(stall, '/.well-known/oauth-authorization-server').catch(ignoreMissing);
  if (objectOf(metadata)['issuer'] !== url) return null;
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const listener = await listenForCode({ state, iss: url }, context.signal);
  try {
    const { redirect } = listener;
    const page = `${url}/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: 'bookstall',
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'key',
      state,
      machine: hostname(),
    }).toString()}`;
    context.say(`Sign in on the page that opens in your browser. If none opens, go to\n${page}`);
    await openBrowser(page, context.environment);
    const body = { grant_type: 'authorization_code', client_id: 'bookstall', redirect_uri: redirect };
    const code = await listener.code;
    const answer = await fetchJson(stall, '/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...body, code, code_verifier: verifier }).toString(),
    });
    return String(objectOf(answer)['key']);
  } finally {
    listener.close();
  }
}

/** Listens on this machine for the answer that has this `state` and comes from this stall. */
async function listenForCode(asked: { readonly state: string; readonly iss: string }, signal: AbortSignal) {
  const server = createServer();
  await new Promise<void>((listening, failed) => {
    server.on('error', failed).listen(0, '127.0.0.1', listening);
  });
  let timer: NodeJS.Timeout | undefined;
  const code = new Promise<string>((resolve, reject) => {
    const late = Refusal.invalid('Stopped: nobody signed in within ten minutes; try again');
    timer = setTimeout(() => reject(late), PATIENCE);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
      const isOurs = searchParams.get('state') === asked.state && searchParams.get('iss') === asked.iss;
      if (request.method !== 'GET' || pathname !== '/callback' || !isOurs)
        return void response.writeHead(404, CLOSE).end();
      const given = searchParams.get('code');
      response.writeHead(200, { ...CLOSE, 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${given === null ? 'Not signed in' : 'Signed in'}. You can close this page.\n`);
      if (given !== null) resolve(given);
      else reject(Refusal.invalid('Stopped: you did not connect, and nothing was saved'));
    });
  });
  // It may be rejected before anybody waits for it, which would end the program.
  code.catch(() => {});
  return {
    code,
    redirect: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    close(): void {
      clearTimeout(timer);
      server.close();
    },
  };
}

const CLOSE = { Connection: 'close', 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
