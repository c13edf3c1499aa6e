// Programs that know OAuth, at /mcp/library: the SDK 1.x's own client with Chromium in the person's place, the Inspector's CLI,
// `oauth4webapi`, which checks each answer by the letter of its RFC, and the protocol's conformance suite for authorization.
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { canServe, documentOf, openNetwork, send } from '../agents/document-network.ts';
import { freePort } from '../bench/child.ts';
import { testPages } from '../browser/chromium.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import { visitAs } from '../office/visit.ts';
import { clientProgram, describeWith, openHome } from './home.ts';
import { openMcpStall } from './mcp-stall.ts';
import { answerAt, openNotedBrowser } from './person.ts';

const EMAIL = 'reader@example.org';
const REDIRECT = 'http://127.0.0.1:9/callback';

type Kept = Partial<Record<'client' | 'tokens' | 'verifier' | 'address', unknown>>;

async function open(more: Parameters<typeof openMcpStall>[0] = {}) {
  const { stall } = await openMcpStall(more);
  const cookie = await stall.signIn(EMAIL);
  return { stall, library: `${stall.url}/mcp/library`, reader: visitAs(stall, cookie) };
}

/** A client of the SDK, with what it keeps of its sign-in; with a `document` its id is that address. */
function createProvider(kept: Kept, document?: string): OAuthClientProvider {
  return {
    ...(document === undefined ? {} : { clientMetadataUrl: document }),
    redirectUrl: REDIRECT,
    clientMetadata: {
      client_name: 'SDK',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (address) => void (kept.address = address.href),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    codeVerifier: () => String(kept.verifier),
    invalidateCredentials: (scope) => void (scope === 'tokens' && (kept.tokens = undefined)),
  };
}

async function callWith(provider: OAuthClientProvider, library: string): Promise<string> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(library), { authProvider: provider }));
  const result = await client.callTool({
    name: 'read_chapter',
    arguments: { item: 'paid-book', path: '01.md' },
  });
  await client.close();
  return JSON.stringify(result.content);
}

/** Signs a client of the SDK in, in Chromium. */
async function signIn(provider: OAuthClientProvider, kept: Kept, library: string): Promise<void> {
  expect(await auth(provider, { serverUrl: library })).toBe('REDIRECT');
  const to = new URL(await answerAt(String(kept.address), { email: EMAIL }));
  const authorizationCode = to.searchParams.get('code') ?? '';
  expect(await auth(provider, { serverUrl: library, authorizationCode })).toBe('AUTHORIZED');
}

testPages(
  'the SDK 1.x registers, signs in, reads, refreshes, and signs in again after it was disconnected',
  async () => {
    const { library, reader } = await open();
    const kept: Kept = {};
    const provider = createProvider(kept);
    await signIn(provider, kept, library);
    expect(await callWith(provider, library)).toContain('heron of paid marsh');
    const { access_token: former } = kept.tokens as { readonly access_token: string };
    expect(await auth(provider, { serverUrl: library })).toBe('AUTHORIZED');
    expect((kept.tokens as { readonly access_token: string }).access_token).not.toBe(former);
    expect(await callWith(provider, library)).toContain('heron of paid marsh');
    const { html } = await reader.open('/dashboard/assistants');
    const [, id = ''] = /dashboard\/assistants\/([0-9a-f-]{36})/.exec(html) ?? [];
    await reader.send(`/dashboard/assistants/${id}`, { act: 'end' });
    kept.address = undefined;
    await expect(callWith(provider, library)).rejects.toThrow();
    expect(kept.address).toStartWith(new URL(library).origin);
  },
);

testPages.skipIf(!canServe)('the SDK 1.x with a document registers nothing', async () => {
  const net = await openNetwork();
  net.said.answer = send(documentOf(net.id, { redirect_uris: [REDIRECT] }));
  const { library } = await open({ network: net.network });
  const kept: Kept = {};
  const provider = createProvider(kept, net.id);
  await signIn(provider, kept, library);
  expect(kept.client).toMatchObject({ client_id: net.id });
  expect(await callWith(provider, library)).toContain('heron of paid marsh');
  expect(await auth(provider, { serverUrl: library })).toBe('AUTHORIZED');
});

describeWith('inspector', clientProgram('.bin/mcp-inspector'), (program) => {
  testPages('its CLI signs in by a browser, calls a tool, and keeps the sign-in', async () => {
    const { library } = await open();
    const home = openHome();
    const environment = { ...openNotedBrowser(home.home).environment, MCP_INSPECTOR_SECRET_STORE: 'file' };
    const called =
      '--transport http --method tools/call --tool-name read_chapter --tool-arg item=paid-book path=01.md';
    const words = [process.execPath, '--bun', program, '--cli', library, ...called.split(' ')];
    const callback = `http://127.0.0.1:${freePort()}/oauth/callback`;
    const { until, ended } = home.terminal([...words, '--callback-url', callback], environment);
    const [, address = ''] = /(http\S+\/authorize\?\S+)/.exec(await until('/authorize?')) ?? [];
    expect(await answerAt(address, { email: EMAIL })).toStartWith(callback);
    await until('heron of paid marsh');
    await ended;
    const { code, out } = await home.run([...words, '--stored-auth-only'], environment);
    expect([code, out]).toEqual([0, expect.stringContaining('heron of paid marsh')]);
  });
});

describeWith('oauth4webapi', clientProgram('oauth4webapi/build/index.js'), (program) => {
  test('finds each answer as its RFC has it: discovery, PKCE, exchange, refresh, revocation, errors', async () => {
    const oauth = await import(program);
    const { library, reader, stall } = await open();
    const insecure = { [oauth.allowInsecureRequests]: true };
    const resource = await oauth.processResourceDiscoveryResponse(
      new URL(library),
      await oauth.resourceDiscoveryRequest(new URL(library), insecure),
    );
    expect(resource).toMatchObject({ resource: library, authorization_servers: [stall.url] });
    const issuer = new URL(resource.authorization_servers[0]);
    const server = await oauth.processDiscoveryResponse(
      // The issuer has no slash at its end, as the metadata say (RFC 8414, 3.3).
      new URL(stall.url),
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    for (const method of ['none', 'client_secret_post']) {
      const metadata = {
        client_name: 'Letter',
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: method,
      };
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(server, metadata, insecure),
      );
      const own = method === 'none' ? oauth.None() : oauth.ClientSecretPost(client.client_secret);
      const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
      const asked = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        scope: 'library',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource: library,
      });
      const { html } = await reader.open(`/authorize?${asked}`);
      const [, token = ''] = /name="token" value="([^"]*)"/.exec(html) ?? [];
      const answered = async (act: string) => {
        const { location } = await reader.send('/authorize', {
          request: `?${asked}`,
          token,
          act,
          asks: 'on',
        });
        return new URL(location ?? '');
      };
      const code = oauth.validateAuthResponse(server, client, await answered('connect'), state);
      const exchange = (proof: string) =>
        oauth.authorizationCodeGrantRequest(server, client, own, code, REDIRECT, proof, {
          additionalParameters: { resource: library },
          ...insecure,
        });
      const wrong = await exchange(oauth.generateRandomCodeVerifier());
      await expect(oauth.processAuthorizationCodeResponse(server, client, wrong)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      });
      const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange(verifier));
      expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'library', expires_in: 3600 });
      const refresh = (secret: string) =>
        oauth.refreshTokenGrantRequest(server, client, own, secret, insecure);
      const next = await oauth.processRefreshTokenResponse(
        server,
        client,
        await refresh(tokens.refresh_token),
      );
      const use = (secret: string) =>
        oauth.protectedResourceRequest(secret, 'GET', new URL(library), undefined, undefined, insecure);
      expect((await use(next.access_token)).status).toBe(405);
      const revoked = await oauth.revocationRequest(server, client, own, next.refresh_token, insecure);
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined();
      await expect(use(next.access_token)).rejects.toMatchObject({
        cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token', scope: 'library' } }],
      });
      const ended = await refresh(next.refresh_token);
      await expect(oauth.processRefreshTokenResponse(server, client, ended)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    }
  });
});

/** The checks of a revision, of which a stall at an address of this machine passes each. */
const EXPECTED = {
  '2025-06-18': ['authorization-code-grant SUCCESS', 'authorization-server-metadata SUCCESS'],
  '2026-07-28': [
    'authorization-code-grant SUCCESS',
    'authorization-server-metadata SUCCESS',
    'authorization-server-metadata-cimd SUCCESS',
  ],
};

describeWith('conformance', clientProgram('.bin/conformance'), (program) => {
  testPages('every scenario for an authorization server passes, in both revisions', async () => {
    const { stall, library } = await open();
    const port = freePort();
    const answer = await stall.fetch('/register', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Suite', redirect_uris: [`http://127.0.0.1:${port}/callback`] }),
    });
    const { client_id: id } = (await answer.json()) as { readonly client_id: string };
    for (const revision of ['2025-06-18', '2026-07-28'] as const) {
      const output = temporaryDirectory();
      const run = [
        'authorization',
        '--url',
        stall.url,
        '--client-id',
        id,
        '--resource',
        library,
        '--port',
        String(port),
      ];
      const { until, ended } = openHome().terminal([
        ...[process.execPath, '--bun', program, ...run],
        ...['--spec-version', revision, '--output-dir', output],
      ]);
      const [, address = ''] = /(http\S+\/authorize\?\S+)/.exec(await until('code_challenge_method')) ?? [];
      await answerAt(address, { email: EMAIL });
      await ended;
      const checks = readdirSync(output).flatMap(
        (folder) =>
          JSON.parse(readFileSync(join(output, folder, 'checks.json'), 'utf8')) as {
            readonly id: string;
            readonly status: string;
            readonly errorMessage?: string;
          }[],
      );
      const found = checks.map(({ id: name, status }) => `${name} ${status}`).toSorted();
      expect({ revision, found }).toEqual({
        revision,
        found: EXPECTED[revision],
      });
    }
  });
});
