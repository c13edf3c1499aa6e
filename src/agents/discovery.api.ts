// How programs find the MCP server and the free skills: AI Catalog, https://github.com/Agent-Card/ai-catalog, in the form
// of ARD 0.9, and server cards, https://github.com/modelcontextprotocol/experimental-ext-server-card
import { isPublic } from '../accounts/access.ts';
import { listPublished } from '../catalog/catalog.ts';
import { zipAddress } from '../catalog/connect.rule.ts';
import { VERSION } from '../platform/base/version.ts';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { asset, sendAsset } from '../platform/http/answer.ts';
import { LIBRARY, MCP } from './oauth.rule.ts';
import type { Http } from './stall.ts';

const CARD = 'application/mcp-server-card+json';
const CARD_PATH = `${MCP}/server-card`;
const MOST_ENTRIES = 1000;

/** Sends the list of what agents can use here: the MCP server, and the skills that anybody may take. */
export function sendAiCatalog({ stall }: Http, request: Request): Response {
  const origin = stall.origin();
  const { name } = stall.manifest();
  const entry = (id: string, displayName: string, type: string, path: string) => ({
    identifier: `urn:air:${new URL(origin).hostname}:${id}`,
    displayName,
    type,
    url: origin + path,
  });
  const skills = listPublished(stall.catalog()).filter(
    (one) => one.manifest.kind === 'skill' && isPublic(one),
  );
  const entries = [
    entry('mcp:stall', name, CARD, CARD_PATH),
    ...skills
      .slice(0, MOST_ENTRIES)
      .map(({ manifest: { slug, title } }) =>
        entry(`skill:${slug}`, title, 'application/agent-skills+zip', zipAddress(slug)),
      ),
  ];
  const body = { specVersion: '1.0', host: { displayName: name }, entries };
  return sendAsset(
    request,
    asset('application/ai-catalog+json', JSON.stringify(body)),
    agentHeaders(false, true),
  );
}

/** Sends the card of the MCP server. With another `$schema` it is a `server.json` of MCP's registry. */
export function sendServerCard({ stall }: Http, request: Request): Response {
  const origin = stall.origin();
  const { name } = stall.manifest();
  const domain = new URL(origin).hostname
    .replace(/[^a-z0-9.-]/g, '')
    .split('.')
    .toReversed()
    .join('.');
  const key = {
    name: 'Authorization',
    description: 'Bearer and an API key, for what is yours',
    isSecret: true,
  };
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${domain}/stall`,
    version: VERSION,
    title: name,
    description: 'Books and agent skills: search and read them, and ask questions',
    websiteUrl: origin,
    remotes: [
      { type: 'streamable-http', url: origin + LIBRARY },
      { type: 'streamable-http', url: origin + MCP, headers: [key] },
    ],
  };
  return sendAsset(request, asset(CARD, JSON.stringify(card)), agentHeaders(false, true));
}
