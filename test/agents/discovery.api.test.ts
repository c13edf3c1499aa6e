import { expect, test } from 'bun:test';
import { openStall } from '../helpers/harness.ts';
import { person } from '../installing/client/lock-person.ts';

const here = process.cwd();
const stall = await openStall({ config: { baseUrl: null } });
type Json = Readonly<Record<string, unknown>>;
const read = async (path: string, type: string): Promise<Json> => {
  const answer = await stall.fetch(path);
  expect([
    answer.status,
    answer.headers.get('content-type'),
    answer.headers.get('access-control-allow-origin'),
  ]).toEqual([200, type, '*']);
  return (await answer.json()) as Json;
};
const CARD = 'application/mcp-server-card+json';

test('the AI Catalog lists the MCP server and the free skills, each at an address that anybody may read', async () => {
  const { specVersion, entries, ...others } = await read(
    '/.well-known/ai-catalog.json',
    'application/ai-catalog+json',
  );
  expect([specVersion, others]).toEqual(['1.0', { host: { displayName: 'Bookstall' } }]);
  const all = entries as Readonly<Record<'identifier' | 'type' | 'url', string>>[];
  expect(all.map(({ identifier, type }) => `${identifier} ${type}`)).toEqual([
    `urn:air:127.0.0.1:mcp:stall ${CARD}`,
    'urn:air:127.0.0.1:skill:free-skill application/agent-skills+zip',
  ]);
  for (const { url } of all) expect((await fetch(url)).status).toBe(200);
  expect(JSON.stringify(entries)).not.toMatch(/paid|draft|archived/);
});

test('the server card has the form of SEP-2127, and both addresses', async () => {
  const { $schema, name, version, description, title, websiteUrl, remotes } = await read(
    '/mcp/server-card',
    CARD,
  );
  expect($schema).toBe('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json');
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect([String(description).length > 0, String(description).length <= 100]).toEqual([true, true]);
  expect([title, websiteUrl]).toEqual(['Bookstall', stall.url]);
  const addresses = remotes as { type: string; url: string }[];
  expect(addresses.map(({ type, url }) => `${type} ${url}`)).toEqual([
    `streamable-http ${stall.url}/mcp/library`,
    `streamable-http ${stall.url}/mcp`,
  ]);
});

test('connect registry prints a server.json, and sends nothing but the question for the card', async () => {
  const before = stall.log.length;
  const { code, out } = await person(stall.url).say('connect', 'registry');
  process.chdir(here);
  const printed = JSON.parse(out) as Json;
  expect([code, printed['$schema']]).toEqual([
    0,
    'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ]);
  expect({ ...printed, $schema: null }).toEqual({ ...(await read('/mcp/server-card', CARD)), $schema: null });
  const asked = stall.log.slice(before).flatMap(({ route }) => route ?? []);
  expect(new Set(asked)).toEqual(new Set(['/mcp/server-card']));
});
