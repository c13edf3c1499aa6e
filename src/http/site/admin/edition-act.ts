import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendConfirmation } from './confirmation.tsx';
import { editionsPath } from './edition-list.tsx';
import { PATIENCE } from './reindex.ts';

const EDITION = '/admin/items/:slug/editions/:digest';

type Names = { readonly slug: string; readonly digest: string };

/** `/admin/items/:slug/editions/:digest/rollback` and `/withdraw`: both after a confirmation. */
export function editionAct(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(`${EDITION}/rollback`, ({ params, owner }) => ask(deps, owner, params, 'rollback'), {
      ownerGuard: true,
    })
    .post(
      `${EDITION}/rollback`,
      async ({ params: { slug, digest }, owner }) => {
        await deps.service.admin(owner).editions.rollBack(slug, digest);
        return publish(deps, owner, slug, 'rolled-back');
      },
      { ownerGuard: true, parse: 'none' },
    )
    .get(`${EDITION}/withdraw`, ({ params, owner }) => ask(deps, owner, params, 'withdraw'), {
      ownerGuard: true,
    })
    .post(
      `${EDITION}/withdraw`,
      async ({ params: { slug, digest }, owner }) => {
        await deps.service.admin(owner).editions.withdraw(slug, digest);
        return publish(deps, owner, slug, 'withdrawn');
      },
      { ownerGuard: true, parse: 'none' },
    );
}

const WORDS = {
  rollback: {
    title: (name: string, slug: string) => `Roll “${slug}” back to ${name}?`,
    stops:
      'Readers get the files of this edition again; price, status and texts stay as they are today. This ends when the files of the item change.',
    button: 'Roll back',
  },
  withdraw: {
    title: (name: string, slug: string) => `Withdraw ${name} of “${slug}”?`,
    stops:
      'Nobody can install this edition any more, its archive is deleted, and the same files are never served again. This cannot be undone.',
    button: 'Withdraw edition',
  },
} as const;

async function ask(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { slug, digest }: Names,
  act: keyof typeof WORDS,
): Promise<Response> {
  const found = await deps.service.admin(owner).editions.find(slug, digest);
  const { title, stops, button } = WORDS[act];
  return sendConfirmation(deps, owner, {
    current: '/admin/items',
    title: title(found.version ?? found.digest.slice(0, 12), slug),
    stops,
    action: `${editionsPath(slug)}/${found.digest}/${act}`,
    button,
    back: editionsPath(slug),
  });
}

/** Has the content published, so that what was decided is served; a long publish is not waited for. */
async function publish(
  { service }: RouteDeps,
  owner: SessionPrincipal,
  slug: string,
  word: 'rolled-back' | 'withdrawn',
): Promise<Response> {
  await Promise.race([service.adminViews.items.reindex(owner), Bun.sleep(PATIENCE)]);
  return redirect(withFlash(editionsPath(slug), word));
}
