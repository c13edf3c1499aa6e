import { Elysia } from 'elysia';
import type { DoorPrincipal } from '../../access/principal.ts';
import { ADVERTISEMENT_TYPE } from '../../git/advertisement.ts';
import { UPLOAD_PACK_RESULT_TYPE } from '../../git/upload-response.ts';
import { Refusal } from '../../refusal.ts';
import type { Service } from '../../service/service.ts';
import type { ByteSender } from '../byte-sender.ts';
import type { Identity } from '../identity.ts';
import { protocolOf, readUpload } from './git-request.ts';
import { uploadDelivery } from './git-delivery.ts';

export type GitDeps = {
  readonly service: Service;
  readonly identity: Identity;
  readonly sender: ByteSender;
};

const HEADERS = {
  'Cache-Control': 'private, no-store',
  Vary: 'Authorization',
  'X-Content-Type-Options': 'nosniff',
};

/** Items as git repositories, read only, by smart HTTP (contract/doors.md §4). */
export function git(deps: GitDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(
      '/git/:repository/info/refs',
      async ({ request, params, query, asker }) =>
        await sendRefs(deps, request, asker, slugOf(params.repository), query['service']),
      { doorGuard: true },
    )
    .post(
      '/git/:repository/git-upload-pack',
      async ({ request, params, asker, route }) =>
        await sendPack(deps, request, asker, slugOf(params.repository), route),
      { doorGuard: true, parse: 'none' },
    )
    .post('/git/:repository/git-receive-pack', () => refusePush(), { doorGuard: true, parse: 'none' })
    .get('/git/:repository/HEAD', () => refuseDumb(), { doorGuard: true })
    .get('/git/:repository/objects/*', () => refuseDumb(), { doorGuard: true });
}

/** The slug in the last part of a repository's address; a name that no item has if it does not end in `.git`. */
function slugOf(repository: string): string {
  return repository.endsWith('.git') ? repository.slice(0, -4) : `${repository}/`;
}

async function sendRefs(
  { service }: GitDeps,
  request: Request,
  asker: DoorPrincipal,
  slug: string,
  wanted: string | undefined,
): Promise<Response> {
  if (wanted === 'git-receive-pack') refusePush();
  if (wanted !== 'git-upload-pack') refuseDumb();
  const text = await service.git.advertise(asker, slug, protocolOf(request));
  return new Response(text, { headers: { 'Content-Type': ADVERTISEMENT_TYPE, ...HEADERS } });
}

async function sendPack(
  { service, sender }: GitDeps,
  request: Request,
  asker: DoorPrincipal,
  slug: string,
  route: string,
): Promise<Response> {
  const body = await readUpload(request);
  const { start, pack } = await service.git.upload(asker, slug, body, protocolOf(request));
  const headers = { 'Content-Type': UPLOAD_PACK_RESULT_TYPE, ...HEADERS };
  if (pack === null) return new Response(start, { headers });
  pack.count();
  const check = () => service.recheckAccess(asker, pack.edition, 'take');
  return sender.send(request, uploadDelivery(start, pack, { route, check }), { headers });
}

function refusePush(): never {
  throw new Refusal(
    'access-denied',
    "Cannot push: this stall's repositories are read only; its publisher changes items",
  );
}

function refuseDumb(): never {
  throw new Refusal(
    'access-denied',
    'Cannot serve git without its smart protocol: use git 1.6.6 or later, and no proxy that takes "?service=" away',
  );
}
