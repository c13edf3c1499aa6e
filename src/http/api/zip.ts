import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { ByteSender } from '../byte-sender.ts';
import type { Identity } from '../identity.ts';
import { EPUB_FORM, sendArchive } from '../shared-archive.ts';

const SKILL = '/api/skills/:slug/download';
const BOOK = '/api/books/:id/skill';
const EPUB = '/api/books/:id/epub';

const ZIP = { type: 'application/zip', ending: 'zip' };

/** The archives that a session may download too: `GET /api/skills/<slug>/download` (spec 4.5), and a book as a skill or as an EPUB. */
export function zip(service: Service, identity: Identity, sender: ByteSender) {
  const deps = { service, sender };
  return new Elysia()
    .use(identity)
    .get(
      SKILL,
      async ({ request, params, principal }) =>
        await sendArchive(request, await service.zip(principal, params.slug), deps, {
          ...ZIP,
          principal,
          route: SKILL,
        }),
      { openGuard: true },
    )
    .get(
      BOOK,
      async ({ request, params, principal }) =>
        await sendArchive(request, await service.bookSkill(principal, params.id), deps, {
          ...ZIP,
          principal,
          route: BOOK,
        }),
      { openGuard: true },
    )
    .get(
      EPUB,
      async ({ request, params, query, principal }) =>
        await sendArchive(
          request,
          await service.epub(principal, { id: params.id, wanted: query['edition'] ?? null }),
          deps,
          { ...EPUB_FORM, principal, route: EPUB },
        ),
      { openGuard: true },
    );
}
