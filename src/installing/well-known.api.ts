import type { AgentPrincipal } from '../platform/base/principal.ts';
import { countSkill, findSkill, skillArchive, skillIndex, type SkillPlace } from './well-known.ts';
import {
  asset,
  isLinkPath,
  isUnmodified,
  JSON_TYPE,
  notModified,
  sendAsset,
  countedBody,
} from '../platform/http/answer.ts';
import type { Http } from './stall.ts';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { isPublic } from '../accounts/access.ts';
import { notFound } from '../platform/base/told.ts';
import { openItemFile } from '../reading/files.ts';
import { SKILL_FILE, skillFolderOf } from '../catalog/artefacts.ts';
import { decoded } from '../platform/base/markdown-link.ts';
import { sendFile } from '../reading/sent-file.ts';

const ARCHIVE = /^([0-9a-f]{64})\.zip$/;

export type Params = Readonly<Record<string, string>>;

type AskedSkill = { readonly place: SkillPlace; readonly params: Params; readonly route: string };

/**
 * The seconds in which an index must be sent, as many as Bun's timer allows: the first request for an index packs its
 * archives.
 */
const FIRST_INDEX = 255;

/** Sends the index of the skills at `place`, or the archive in it that `file` names by its SHA-256. */
export async function sendSkillIndex(
  { stall, sender, connections }: Http,
  request: Request,
  asker: AgentPrincipal,
  { place, params: { file = '' }, route }: AskedSkill,
): Promise<Response> {
  const isLink = isLinkPath(route);
  if (file === 'index.json') {
    connections.allowSilence(request, FIRST_INDEX);
    const index = await skillIndex(stall, asker, place);
    return sendAsset(request, asset(JSON_TYPE, index.json), agentHeaders(isLink, index.isPublic));
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

/**
 * Sends one file of an item in its form as a skill, byte for byte. Counts a request for SKILL.md as a download, unless it
 * only checks for an update.
 */
export async function sendSkillFile(
  { stall, sender }: Http,
  request: Request,
  asker: AgentPrincipal,
  { place, params: { file: name = '', '*': rest = '' }, route }: AskedSkill,
): Promise<Response> {
  const path = decoded(rest);
  const edition = findSkill(stall, asker, place, name);
  const { text, files } = skillFolderOf(edition, stall.origin());
  const isText = text !== null && path === SKILL_FILE;
  const file = isText ? null : files.find((one) => one.path === path)?.file;
  if (file === undefined) throw notFound(path);
  const headers = {
    'Content-Type': typeOf(path),
    // A publisher's file on our own origin must not run code.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: `"${file?.sha256 ?? new Bun.CryptoHasher('sha256').update(text ?? '').digest('hex')}"`,
    ...agentHeaders(isLinkPath(route), isPublic(edition)),
  };
  if (isUnmodified(request, headers.ETag)) return notModified(headers);
  const size = file?.size ?? Buffer.byteLength(text ?? '');
  if (request.method === 'HEAD') return new Response(countedBody(size), { headers });
  if (path === SKILL_FILE && !request.headers.has('x-skills-update-check'))
    countSkill(stall, asker, edition, edition.size);
  if (file === null) return new Response(text, { headers });
  const opened = await openItemFile(stall, edition, file.path);
  return sendFile(request, opened, { stall, sender }, { principal: asker, action: 'take', route, headers });
}

const typeOf = (path: string): string =>
  /\.(?:md|markdown)$/i.test(path) ? 'text/markdown; charset=utf-8' : 'application/octet-stream';
