import { Elysia } from 'elysia';
import type { SiteDesk } from '../frame/route-deps.ts';
import { accountAdd } from './account-add.ts';
import { accountLink } from './account-link.tsx';
import { accountList } from './account-list.tsx';
import { accountPage } from './account-page.tsx';
import { accountState } from './account-state.tsx';
import { audit } from './audit.tsx';
import { grantAdd } from './grant-add.ts';
import { grantRevoke } from './grant-revoke.ts';
import { grantsImport } from './grants-import.tsx';
import { keyRevoke } from './key-revoke.ts';
import { logs } from './logs.tsx';
import { overview } from './overview.tsx';
import { reindex } from './reindex.ts';
import { stockRoom } from './items.tsx';

/** The owner's pages, in one visible list. */
export function office(desk: SiteDesk) {
  return new Elysia()
    .use(overview(desk))
    .use(stockRoom(desk))
    .use(reindex(desk))
    .use(accountList(desk))
    .use(accountAdd(desk))
    .use(accountPage(desk))
    .use(accountState(desk))
    .use(accountLink(desk))
    .use(grantAdd(desk))
    .use(grantRevoke(desk))
    .use(keyRevoke(desk))
    .use(grantsImport(desk))
    .use(logs(desk))
    .use(audit(desk));
}
