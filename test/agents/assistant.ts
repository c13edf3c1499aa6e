// A reader's browser and an assistant that signs in, step by step.
import { createHash, randomBytes } from 'node:crypto';
import { openStall, type Stall } from '../helpers/harness.ts';
import { acceptInvitation } from '../helpers/accept-invitation.ts';
import { visitAs } from '../office/visit.ts';

export const REDIRECT = 'https://claude.ai/api/mcp/auth_callback';
export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
export type Fields = Readonly<Record<string, string>>;
export type Json = Readonly<Record<string, unknown>>;

/** Where a stall answers, in this process or another. */
type Place = Pick<Stall, 'fetch'>;

export const post = async (stall: Place, path: string, fields: Fields | string) => {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString();
  const answer = await stall.fetch(path, { method: 'POST', headers: FORM, body });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
};

export async function registerAt(stall: Place, more: Json = {}) {
  const answer = await stall.fetch('/register', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Claude',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...more,
    }),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

/** A reader of the paid book with their browser. */
export async function openReader(now: () => number = Date.now, more: Parameters<typeof openStall>[0] = {}) {
  const stall = await openStall({ now, ...more });
  const { account } = await stall.reader('ada@example.org', 'paid-book');
  const cookie = await stall.signIn('ada@example.org');
  const client = String((await registerAt(stall)).body['client_id']);
  return { stall, account, cookie, client, browser: visitAs(stall, cookie) };
}
export type Reader = Awaited<ReturnType<typeof openReader>>;
type Away = Pick<Reader, 'client' | 'browser'> & { readonly stall: Place };

/** The same at a program that runs by itself, for the account of an invitation. */
export async function openAway(url: string, invitation: string) {
  const place = {
    url,
    fetch: (path: string, init: BunFetchRequestInit = {}) => fetch(`${place.url}${path}`, init),
  };
  return openAt(place, { Cookie: await acceptInvitation(url, invitation) });
}

/** The same at another address, with the session of a browser there. */
export async function openAt<Where extends Place>(stall: Where, cookie: { readonly Cookie: string }) {
  const client = String((await registerAt(stall)).body['client_id']);
  return { stall, client, browser: visitAs(stall, cookie) };
}

export const verifierOf = () => randomBytes(32).toString('base64url');
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

export function queryOf(client: string, verifier: string, more: Fields = {}): string {
  return new URLSearchParams({
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    state: 'a b&c',
    scope: 'library offline_access claudeai',
    ...more,
  }).toString();
}

/** Opens the page, presses a button, and returns where that leads. */
export async function consent(
  { browser }: Pick<Reader, 'browser'>,
  query: string,
  fields: Fields = { asks: 'on' },
  act = 'connect',
) {
  const { html } = await browser.open(`/authorize?${query}`);
  const hidden = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const sent = { request: hidden('request'), token: hidden('token'), act, ...fields };
  const { status, location } = await browser.send('/authorize', sent);
  return { status, to: location === null ? null : new URL(location), sent };
}

export async function connect(reader: Away, more: Fields = {}, fields: Fields = { asks: 'on' }) {
  const verifier = verifierOf();
  const { to } = await consent(reader, queryOf(reader.client, verifier, more), fields);
  const code = to?.searchParams.get('code') ?? '';
  const exchange = (changed: Fields = {}) =>
    post(reader.stall, '/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT,
      client_id: reader.client,
      ...changed,
    });
  return { code, verifier, exchange };
}

export const refresh = ({ stall, client }: Omit<Away, 'browser'>, token: unknown, more: Fields = {}) =>
  post(stall, '/token', {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    client_id: client,
    ...more,
  });

export const callAt = (stall: Place, path: string, token: unknown, message: Json) =>
  stall.fetch(path, {
    method: 'POST',
    headers: {
      ...(token === null ? undefined : { Authorization: `Bearer ${String(token)}` }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  });

export async function toolsAt(stall: Place, token: unknown): Promise<readonly string[]> {
  const answer = await callAt(stall, '/mcp/library', token, { method: 'tools/list', params: {} });
  const text = await answer.text();
  return [...text.matchAll(/"name":"(\w+)"/g)].map(([, name]) => name!);
}

export const isGood = async ({ stall }: Pick<Away, 'stall'>, token: unknown): Promise<boolean> =>
  (await callAt(stall, '/mcp/library', token, { method: 'tools/list', params: {} })).status === 200;
