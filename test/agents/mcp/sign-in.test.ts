// The protocol's own client signs in by OAuth as its makers wrote it, with a reader's browser in a person's place.
import { expect, test } from 'bun:test';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { HOUR } from '../../../src/platform/base/duration.ts';
import { consent, openReader } from '../assistant.ts';
import { canServe, documentOf, openNetwork, send } from '../document-network.ts';
import { ERAS, type Era, textOf } from './mcp-client.ts';

type Kept<Name extends keyof OAuthClientProvider> = OAuthClientProvider[Name] extends
  ((...given: never[]) => infer Value) | undefined
  ? Awaited<Value>
  : never;

/** Creates a program's memory of its sign-in: its registration, verifier and tokens, and where it would send a browser. */
function createMemory(redirect: string, documentId?: string) {
  const memory: {
    client: Kept<'clientInformation'>;
    tokens: Kept<'tokens'>;
    verifier: string;
    asked: URL | null;
    found: Kept<'discoveryState'>;
  } = { client: undefined, tokens: undefined, verifier: '', asked: null, found: undefined };
  const provider: OAuthClientProvider = {
    ...(documentId !== undefined && { clientMetadataUrl: documentId }),
    redirectUrl: redirect,
    clientMetadata: {
      client_name: 'The SDK',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'of the program',
    clientInformation: () => memory.client,
    saveClientInformation: (client) => void (memory.client = client),
    tokens: () => memory.tokens,
    saveTokens: (tokens) => void (memory.tokens = tokens),
    redirectToAuthorization: (to) => void (memory.asked = to),
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier,
    saveDiscoveryState: (found) => void (memory.found = found),
    discoveryState: () => memory.found,
    invalidateCredentials: (kind) => {
      if (kind === 'all' || kind === 'client') memory.client = undefined;
      if (kind === 'all' || kind === 'tokens') memory.tokens = undefined;
    },
  };
  return { memory, provider };
}

const clientOf = (era: Era): Client =>
  new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2026-07-28' ? { pin: era } : 'legacy' } },
  );

test.each(ERAS)(
  '%s: a client finds, registers, signs in, reads, refreshes, and is told when it was disconnected',
  async (era) => {
    let now = Date.now();
    const reader = await openReader(() => now);
    const { stall, browser } = reader;
    const { memory, provider } = createMemory('http://localhost:49152/callback');
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${stall.url}/mcp/library`), { authProvider: provider });
    const first = transport();
    await expect(clientOf(era).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(memory.asked?.searchParams.get('resource')).toBe(`${stall.url}/mcp/library`);
    const { to } = await consent(reader, memory.asked!.search.slice(1));
    expect(to?.searchParams.get('state')).toBe('of the program');
    await first.finishAuth(to!.searchParams);

    const client = clientOf(era);
    await client.connect(transport());
    const read = async () =>
      textOf(
        await client.callTool({ name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } }),
      );
    expect(await read()).toContain('The grey heron of paid');

    const before = memory.tokens?.access_token;
    now += HOUR;
    expect(await read()).toContain('The grey heron of paid');
    expect(memory.tokens?.access_token).not.toBe(before);

    const [connection] = stall.app.stall.store.listConnections(reader.account.id, now);
    await browser.send(`/dashboard/assistants/${connection!.id}`, { act: 'end' });
    memory.asked = null;
    await expect(read()).rejects.toBeInstanceOf(UnauthorizedError);
    expect(memory.asked).not.toBeNull();
    await client.close();
  },
);

test.if(canServe).each(ERAS)(
  '%s: a client that names a document does not register, and signs in',
  async (era) => {
    const redirect = 'http://localhost:49152/callback';
    const { network, said, id, seen } = await openNetwork();
    said.answer = send(documentOf(id, { client_name: 'The SDK', redirect_uris: [redirect] }));
    const reader = await openReader(Date.now, { network });
    const { memory, provider } = createMemory(redirect, id);
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${reader.stall.url}/mcp/library`), {
        authProvider: provider,
      });
    const first = transport();
    await expect(clientOf(era).connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
    expect(memory.asked?.searchParams.get('client_id')).toBe(id);
    const { to } = await consent(reader, memory.asked!.search.slice(1));
    await first.finishAuth(to!.searchParams);
    const client = clientOf(era);
    await client.connect(transport());
    const read = { name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } };
    expect(textOf(await client.callTool(read))).toContain('The grey heron of paid');
    expect(seen.asked).toBe(1);
    await client.close();
  },
);
