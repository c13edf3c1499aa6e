import { type AnyElysia, Elysia } from 'elysia';
import { sendAsset } from '../platform/http/answer.ts';
import { createClientPackage } from './client-package.ts';
import { refuseDumb, refusePush, sendMarketplace, sendPack, sendRefs } from './git.api.ts';
import { bookSkill, epub, install, zip } from './install.ts';
import { EPUB_FORM, sendArchive, sendInstall, ZIP_FORM } from './sent-archive.ts';
import type { Http } from './stall.ts';
import { type Params, sendSkillFile, sendSkillIndex } from './well-known.api.ts';
import type { SkillPlace } from './well-known.ts';

export function installing(http: Http) {
  const { stall } = http;
  const clientPackage = createClientPackage(stall.origin);
  return new Elysia()
    .use(http.guards)
    .get(
      '/api/install/:slug',
      async ({ request, params, query, principal, route }) => {
        const installation = await install(stall, principal, params.slug, query['edition'] ?? null);
        return sendInstall(http, request, { ...installation, route, principal });
      },
      { install: true },
    )
    .guard({ open: true }, (anyone) =>
      anyone
        .get('/api/skills/:slug/download', ({ request, params, principal }) =>
          sendArchive(http, request, zip(stall, principal, params.slug), ZIP_FORM),
        )
        .get('/api/books/:id/skill', ({ request, params, principal }) =>
          sendArchive(http, request, bookSkill(stall, principal, params.id), ZIP_FORM),
        )
        .get('/api/books/:id/epub', ({ request, params, query, principal }) => {
          const wanted = { id: params.id, wanted: query['edition'] ?? null };
          return sendArchive(http, request, epub(stall, principal, wanted), EPUB_FORM);
        })
        .get('/client.tgz', ({ request }) =>
          sendAsset(request, { type: 'application/gzip', ...clientPackage() }, CLIENT_HEADERS),
        ),
    )
    .use(takers(http, ''))
    .use(takers(http, '/i/:token'));
}

/** The headers of the command-line client for readers, a package for Node that `npx` installs from this address. */
const CLIENT_HEADERS = {
  'Content-Disposition': 'attachment; filename="client.tgz"',
  'Cache-Control': 'public, no-cache',
};

type Places = readonly (readonly [path: string, placeOf: (params: Params) => SkillPlace])[];

/**
 * The paths that have an index of skills, in `/.well-known/agent-skills` below them or, for other clients,
 * `/.well-known/skills`. The function of each says which skills the index lists.
 */
const OPEN_PLACES: Places = [
  ['', () => 'root'],
  ['/skills/:slug', ({ slug = '' }) => ({ slug, kind: 'skill' })],
  ['/books/:slug', ({ slug = '' }) => ({ slug, kind: 'book' })],
];
const LINK_PLACES: Places = [
  ['', () => 'link'],
  ['/:slug', ({ slug = '' }) => ({ slug, kind: null })],
];

/**
 * Returns the routes of programs that download items: with an install token in the path if `prefix` is `/i/:token`, or with
 * a credential in a header if it is ''.
 */
function takers(http: Http, prefix: string): AnyElysia {
  const isLink = prefix !== '';
  // Both guards provide the same values, so the types of one fit both.
  const guard = (isLink ? { link: true } : { agent: true }) as { agent: true };
  return new Elysia({ prefix }).use(http.guards).guard(guard, (below) => {
    const routes = below
      .get('/git/:repository/info/refs', ({ request, params, asker }) =>
        sendRefs(http, request, asker, params),
      )
      .post('/git/:repository/git-upload-pack', ({ request, params, asker, route }) =>
        sendPack(http, request, { asker, params, route }),
      )
      .post('/git/:repository/git-receive-pack', () => refusePush())
      .get('/git/:repository/HEAD', () => refuseDumb())
      .get('/git/:repository/objects/*', () => refuseDumb())
      .get('/shelf.git/info/refs', ({ request, params, asker }) => sendRefs(http, request, asker, params))
      .post('/shelf.git/git-upload-pack', ({ request, params, asker, route }) =>
        sendPack(http, request, { asker, params, route }),
      )
      .post('/shelf.git/git-receive-pack', () => refusePush())
      .get('/marketplace.json', ({ request, params, asker }) =>
        sendMarketplace(http, request, asker, params),
      );
    for (const [path, placeOf] of isLink ? LINK_PLACES : OPEN_PLACES)
      for (const name of ['agent-skills', 'skills'])
        routes
          .get(`${path}/.well-known/${name}/:file`, ({ request, params, asker, route }) =>
            sendSkillIndex(http, request, asker, { place: placeOf(params), params, route }),
          )
          .get(`${path}/.well-known/${name}/:file/*`, ({ request, params, asker, route }) =>
            sendSkillFile(http, request, asker, { place: placeOf(params), params, route }),
          );
    return routes;
  });
}
