import type { AgentPrincipal } from '../../access/principal.ts';
import { notFound } from '../../service/access.ts';
import type { SkillPlace } from '../../service/take/well-known.ts';
import { SKILL_FILE } from '../../service/take/skill-folder.ts';
import { isUnmodified, notModified } from '../etag.ts';
import { countedBody, sendFile } from '../file-body.ts';
import { agentHeaders } from './agent-headers.ts';
import type { WellKnownDeps } from './well-known.ts';

type Wanted = {
  readonly name: string;
  readonly path: string;
  readonly route: string;
  readonly isLink: boolean;
};

/** One file of an item as a skill, byte for byte. Its SKILL.md counts as the download of the whole. */
export async function sendSkillFile(
  { service, sender }: WellKnownDeps,
  request: Request,
  asker: AgentPrincipal,
  place: SkillPlace,
  { name, path, route, isLink }: Wanted,
): Promise<Response> {
  const edition = await service.wellKnown.find(asker, place, name);
  const { text, files } = service.skillFolderOf(edition);
  const isText = text !== null && path === SKILL_FILE;
  const file = isText ? null : files.find((one) => one.path === path)?.file;
  if (file === undefined) throw notFound(path);
  const headers = {
    'Content-Type': typeOf(path),
    // A publisher's file on our own origin must not run.
    'Content-Security-Policy': "sandbox; default-src 'none'",
    ETag: `"${file?.sha256 ?? new Bun.CryptoHasher('sha256').update(text ?? '').digest('hex')}"`,
    ...agentHeaders(isLink, service.wellKnown.isPublic(edition)),
  };
  if (isUnmodified(request, headers.ETag)) return notModified(headers);
  const size = file?.size ?? Buffer.byteLength(text ?? '');
  if (request.method === 'HEAD') return new Response(countedBody(size), { headers });
  if (path === SKILL_FILE && !request.headers.has('x-skills-update-check'))
    service.wellKnown.countFiles(asker, edition);
  if (file === null) return new Response(text, { headers });
  const opened = await service.openItemFile(edition, file.path);
  return sendFile(request, opened, { service, sender }, { principal: asker, action: 'take', route, headers });
}

function typeOf(path: string): string {
  return /\.(?:md|markdown)$/i.test(path) ? 'text/markdown; charset=utf-8' : 'application/octet-stream';
}
