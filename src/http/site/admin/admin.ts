import type { AnyElysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { accountAdd } from './account-add.ts';
import { accountLink, accountMail } from './account-link.tsx';
import { accountList } from './account-list.tsx';
import { accountPage } from './account-page.tsx';
import { audit } from './audit.tsx';
import { codeList } from './code-list.tsx';
import { editionList } from './edition-list.tsx';
import { grantAdd } from './grant-add.ts';
import { grantsImport } from './grants-import.tsx';
import { linkList } from './link-list.tsx';
import { logs } from './logs.tsx';
import { mailList } from './mail-list.tsx';
import { orderAct } from './order-act.ts';
import { orderLink } from './order-link.tsx';
import { orderList } from './order-list.tsx';
import { orderPage } from './order-page.tsx';
import { overview } from './overview.tsx';
import { sales } from './sales.tsx';
import { reindex } from './reindex.ts';
import { adminItem } from './item.tsx';
import { adminItems } from './items.tsx';

/** The owner's pages, which the site calls the office, in one visible list; acts that ask first are in acts.tsx. */
export function office(deps: RouteDeps): AnyElysia[] {
  return [
    overview(deps),
    adminItems(deps),
    adminItem(deps),
    reindex(deps),
    editionList(deps),
    orderList(deps),
    orderPage(deps),
    orderAct(deps),
    orderLink(deps),
    sales(deps),
    mailList(deps),
    codeList(deps),
    accountList(deps),
    accountAdd(deps),
    accountPage(deps),
    accountLink(deps),
    accountMail(deps),
    grantAdd(deps),
    linkList(deps),
    grantsImport(deps),
    logs(deps),
    audit(deps),
  ];
}
