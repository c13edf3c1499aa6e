import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../access/principal.ts';
import { skillArchive, skillIndex, type SkillPlace } from '../../service/well-known.ts';
import { decodePath } from '../decode-path.ts';
import { isUnmodified, notModified } from '../etag.ts';
import type { Http } from '../http.ts';
import { agentHeaders } from './agent-headers.ts';
import { sendSkillFile } from './skill-file.ts';

const ARCHIVE = /^([0-9a-f]{64})\.zip$/;

type Params = Readonly<Record<string, string>>;

type Places = readonly (readonly [path: string, place: (params: Params) => SkillPlace])[];

/** The places of an index. Clients look below both names. */
const OPEN: Places = [
  ['', () => 'root'],
  ['/skills/:slug', ({ slug = '' }) => ({ slug, kind: 'skill' })],
  ['/books/:slug', ({ slug = '' }) => ({ slug, kind: 'book' })],
];
const LINKS: Places = [
  ['/i/:token', () => 'link'],
  ['/i/:token/:slug', ({ slug = '' }) => ({ slug, kind: null })],
];
const NAMES = ['agent-skills', 'skills'] as const;

/** How many seconds the first index of a stall with many items may take, while its archives are packed: the most that Bun can count. */
const FIRST_INDEX = 255;

/** Skills at well-known addresses: the index, its archives, and single files for clients of its earlier form. */
export function wellKnown(deps: Http) {
  const routes = new Elysia().use(deps.identity);
  for (const name of NAMES) {
    for (const [path, place] of OPEN) {
      const base = `${path}/.well-known/${name}`;
      const { one, file } = senders(deps, base, place);
      routes
        .get(`${base}/:file`, async ({ request, params, asker }) => await one(request, asker, params), {
          agentGuard: true,
        })
        .get(`${base}/:file/*`, async ({ request, params, asker }) => await file(request, asker, params), {
          agentGuard: true,
        });
    }
    for (const [path, place] of LINKS) {
      const base = `${path}/.well-known/${name}`;
      const { one, file } = senders(deps, base, place);
      routes
        .get(`${base}/:file`, async ({ request, params, asker }) => await one(request, asker, params), {
          linkGuard: true,
        })
        .get(`${base}/:file/*`, async ({ request, params, asker }) => await file(request, asker, params), {
          linkGuard: true,
        });
    }
  }
  return routes;
}

/** The handlers of a place, shared by the routes of both guards: its index and archives, and single files. */
function senders(deps: Http, base: string, place: (params: Params) => SkillPlace) {
  return {
    one: (request: Request, asker: AgentPrincipal, params: Params) =>
      sendOne(deps, request, asker, place(params), params, base),
    file: (request: Request, asker: AgentPrincipal, params: Params) =>
      sendSkillFile(deps, request, asker, place(params), pathIn(params, base)),
  };
}

/** The skill and the path of a single file. */
function pathIn(params: Params, base: string) {
  const { file: name = '', '*': rest = '' } = params;
  return { name, path: decodePath(rest), route: `${base}/:file/*`, isLink: isBelowLink(base) };
}

const isBelowLink = (base: string): boolean => base.startsWith('/i/');

/** The index, or an archive by its SHA-256. */
async function sendOne(
  { stall, sender, connections }: Http,
  request: Request,
  asker: AgentPrincipal,
  place: SkillPlace,
  { file = '' }: Params,
  base: string,
): Promise<Response> {
  const isLink = isBelowLink(base);
  if (file === 'index.json') {
    connections.allowSilence(request, FIRST_INDEX);
    const index = await skillIndex(stall, asker, place);
    return sendText(request, index.json, {
      'Content-Type': 'application/json; charset=utf-8',
      ...agentHeaders(isLink, index.isPublic),
    });
  }
  const [, sha256 = ''] = ARCHIVE.exec(file) ?? [];
  const archive = await skillArchive(stall, asker, place, sha256);
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Length': String(archive.artefact.size),
    ETag: `"${sha256}"`,
    ...agentHeaders(isLink, archive.isPublic),
  };
  if (isUnmodified(request, headers.ETag)) return notModified(headers);
  if (request.method === 'HEAD') return new Response(null, { headers });
  if (!request.headers.has('x-skills-update-check')) archive.count();
  return sender.whole(request, Bun.file(archive.body.file).slice(0, archive.artefact.size), { headers });
}

/** A text with an ETag. */
export function sendText(
  request: Request,
  text: string,
  headers: Readonly<Record<string, string>>,
): Response {
  const etag = etagOf(text);
  const tagged = { ...headers, 'Content-Length': String(Buffer.byteLength(text)), ETag: etag };
  if (isUnmodified(request, etag)) return notModified(tagged);
  return new Response(request.method === 'HEAD' ? null : text, { headers: tagged });
}

/** The ETag of a text. */
export function etagOf(text: string): string {
  return `"${new Bun.CryptoHasher('sha256').update(text).digest('hex')}"`;
}
