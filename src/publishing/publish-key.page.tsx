import { officeIn } from '../words/office.ts';
import { findPublishKeyById, revokePublishKey } from './publish-key.ts';
import type { Http } from './stall.ts';
import { inOffice } from '../office/office.part.tsx';
import { type ActRoutes, actRoutes } from '../platform/site/act.tsx';
import { ACCOUNTS } from '../platform/site/linked-pages.ts';

export const PUBLISH_KEY_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...inOffice(ACCOUNTS),
    path: `${ACCOUNTS}/:id/publish-keys/:key/revoke`,
    find: ({ http, params: { key = '' } }) => findPublishKeyById(http.stall, key),
    title: ({ name }, words) => officeIn(words).publishKeys.revokeTitle({ name }),
    stops: ({ prefix }, words) => officeIn(words).publishKeys.revokeLead({ prefix }),
    button: (words) => officeIn(words).publishKeys.revokeButton,
    act: (key, { http, who }) => revokePublishKey(http.stall, who, key),
    back: ({ accountId }) => `${ACCOUNTS}/${accountId}`,
    said: 'key-revoked',
  }),
];
