import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import type { Sender } from '../sender.ts';
import { EPUB_FORM, sendArchive } from '../shared-archive.ts';

const ZIP = { type: 'application/zip', ending: 'zip' };

/** The archives that a session may download too: `GET /api/skills/<slug>/download` (spec 4.5), and a book as a skill or as an EPUB. */
export function zip(service: Service, identity: Identity, sender: Sender) {
  return new Elysia()
    .use(identity)
    .get(
      '/api/skills/:slug/download',
      async ({ request, params, principal }) =>
        await sendArchive(request, await service.zip(principal, params.slug), sender, ZIP),
      { openGuard: true },
    )
    .get(
      '/api/books/:id/skill',
      async ({ request, params, principal }) =>
        await sendArchive(request, await service.bookSkill(principal, params.id), sender, ZIP),
      { openGuard: true },
    )
    .get(
      '/api/books/:id/epub',
      async ({ request, params, query, principal }) => {
        const wanted = { id: params.id, wanted: query['edition'] ?? null };
        return await sendArchive(request, await service.epub(principal, wanted), sender, EPUB_FORM);
      },
      { openGuard: true },
    );
}
