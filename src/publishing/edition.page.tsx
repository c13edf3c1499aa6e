import { findEdition, rollBackEdition, withdrawEdition } from '../catalog/edition.ts';
import { PATIENCE } from './awaited-publish.ts';
import { tellNeeders } from '../catalog/need.rule.ts';
import type { Http } from './stall.ts';
import { inOffice } from '../office/office.part.tsx';
import { formatsIn } from '../words/formats.ts';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { editionsPath, ITEMS } from '../platform/site/paths.ts';

type Asking = AskingOf<Http>;

const EDITION = '/admin/items/:slug/editions/:digest';

const AN_EDITION = {
  ...inOffice(ITEMS),
  find: ({ http, params: { slug = '', digest = '' } }: Asking) => {
    const found = findEdition(http.stall, slug, digest);
    const day = formatsIn('en-GB').instant(new Date(found.firstServedAt), true, 'UTC');
    const needers = tellNeeders(http.stall.store.countNeeders(slug));
    return { slug, digest, needers, name: found.version ?? `the edition of ${day} UTC` };
  },
  back: ({ slug }: { readonly slug: string }) => editionsPath(slug),
} as const;

const publish = ({ http, who }: Asking): Promise<unknown> =>
  Promise.race([http.stall.publish(who), Bun.sleep(PATIENCE)]);

export const EDITION_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...AN_EDITION,
    path: `${EDITION}/rollback`,
    title: ({ name, slug }) => `Roll “${slug}” back to ${name}?`,
    stops: () =>
      'Readers get the files of this edition again; price, status and texts stay as they are today. This ends when the files of the item change.',
    button: 'Roll back',
    act: async ({ slug, digest }, asking) => {
      await rollBackEdition(asking.http.stall, asking.who, { slug, wanted: digest });
      await publish(asking);
    },
    said: 'rolled-back',
  }),
  actRoutes({
    ...AN_EDITION,
    path: `${EDITION}/withdraw`,
    title: ({ name, slug }) => `Withdraw ${name} of “${slug}”?`,
    stops: ({ needers }) =>
      `${needers === null ? '' : `${needers}. `}Nobody can install this edition any more, its archive is deleted, and the same files are never served again. This cannot be undone.`,
    button: 'Withdraw edition',
    act: async ({ slug, digest }, asking) => {
      await withdrawEdition(asking.http.stall, asking.who, { slug, wanted: digest });
      await publish(asking);
    },
    said: 'withdrawn',
  }),
];
