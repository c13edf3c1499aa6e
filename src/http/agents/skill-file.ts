import type { AgentPrincipal } from '../../access/principal.ts';
import { isPublic, notFound } from '../../service/access.ts';
import { countSkill, findSkill, type SkillPlace } from '../../service/well-known.ts';
import { openItemFile } from '../../service/files.ts';
import { SKILL_FILE, skillFolderOf } from '../../service/skill-archives.ts';
import { isUnmodified, notModified } from '../etag.ts';
import { countedBody, sendFile } from '../file-body.ts';
import { agentHeaders } from './agent-headers.ts';
import type { Http } from '../http.ts';

type Wanted = {
  readonly name: string;
  readonly path: string;
  readonly route: string;
  readonly isLink: boolean;
};

/** One file of an item as a skill, byte for byte. Its SKILL.md counts as the download of the whole. */
export async function sendSkillFile(
  { stall, sender }: Http,
  request: Request,
  asker: AgentPrincipal,
  place: SkillPlace,
  { name, path, route, isLink }: Wanted,
): Promise<Response> {
  const edition = await findSkill(stall, asker, place, name);
  const { text, files } = skillFolderOf(edition, stall.origin());
  const isText = text !== null && path === SKILL_FILE;
  const file = isText ? null : files.find((one) => one.path === path)?.file;
  if (file === undefined) throw notFound(path);
  const headers = {
    'Content-Type': typeOf(path),
    // A publisher's file on our own origin must not run.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: `"${file?.sha256 ?? new Bun.CryptoHasher('sha256').update(text ?? '').digest('hex')}"`,
    ...agentHeaders(isLink, isPublic(edition)),
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

function typeOf(path: string): string {
  return /\.(?:md|markdown)$/i.test(path) ? 'text/markdown; charset=utf-8' : 'application/octet-stream';
}
