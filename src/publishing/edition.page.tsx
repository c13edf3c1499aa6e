import { officeIn } from '../words/office.ts';
import { findEdition, rollBackEdition, withdrawEdition } from '../catalog/edition.ts';
import { PATIENCE } from './awaited-publish.ts';
import { tellLost } from './need-check.ts';
import type { Http } from './stall.ts';
import { inOffice } from '../office/office.part.tsx';
import { officeOf } from '../platform/site/words.tsx';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { editionsPath, ITEMS } from '../platform/site/linked-pages.ts';

type Asking = AskingOf<Http>;

const EDITION = '/admin/items/:slug/editions/:digest';

const AN_EDITION = {
  ...inOffice(ITEMS),
  find: ({ http, who, params: { slug = '', digest = '' } }: Asking) => {
    const found = findEdition(http.stall, slug, digest);
    const { editions, formats } = officeOf(http, who);
    const day = formats.instant(new Date(found.firstServedAt), true, 'UTC');
    const lost = tellLost(http.stall.store, slug, found.digest);
    return { slug, digest, lost, name: found.version ?? editions.nameByDay({ day }) };
  },
  back: ({ slug }: { readonly slug: string }) => editionsPath(slug),
} as const;

const publish = ({ http, who }: Asking): Promise<unknown> =>
  Promise.race([http.stall.publish(who), Bun.sleep(PATIENCE)]);

export const EDITION_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...AN_EDITION,
    path: `${EDITION}/rollback`,
    title: ({ name, slug }, words) => officeIn(words).editions.rollBackTitle({ slug, name }),
    stops: (_, words) => officeIn(words).editions.rollBackLead,
    button: (words) => officeIn(words).editions.rollBackButton,
    act: async ({ slug, digest }, asking) => {
      await rollBackEdition(asking.http.stall, asking.who, { slug, wanted: digest });
      await publish(asking);
    },
    said: 'rolled-back',
  }),
  actRoutes({
    ...AN_EDITION,
    path: `${EDITION}/withdraw`,
    title: ({ name, slug }, words) => officeIn(words).editions.withdrawTitle({ name, slug }),
    stops: ({ lost }, words) => (
      <>
        {lost !== null && <span lang="en">{lost}. </span>}
        {officeIn(words).editions.withdrawLead}
      </>
    ),
    button: (words) => officeIn(words).editions.withdrawButton,
    act: async ({ slug, digest }, asking) => {
      await withdrawEdition(asking.http.stall, asking.who, { slug, wanted: digest });
      await publish(asking);
    },
    said: 'withdrawn',
  }),
];
