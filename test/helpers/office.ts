import type { Actor } from '../../src/platform/base/principal.ts';
import { openAdmin } from '../../src/platform/cli/admin-command.ts';
import { openStore } from '../../src/store.ts';
import { addAccount, disableAccount, enableAccount, findAccount } from '../../src/accounts/account.ts';
import {
  createKey,
  createToken,
  findKey,
  type Overlap,
  readTokenItems,
  revokeKey,
  rotateKey,
  type KeyTerm,
} from '../../src/accounts/key.ts';
import {
  addGrant,
  grantToGroup,
  importGrants,
  listGrants,
  revokeFromGroup,
  revokeGrant,
  revokeGrants,
} from '../../src/accounts/grant.ts';
import { addGroup, joinGroup, leaveGroup, removeGroup } from '../../src/accounts/group.ts';
import { createPublishKey } from '../../src/publishing/publish-key.ts';
import { createLink, findLink, revokeLink } from '../../src/accounts/one-time-link.ts';
import { createCodes, findCode, listCodes, revokeCode } from '../../src/selling/code.ts';
import { type ImportChoices, importOrders, readSaleList } from '../../src/selling/order-import.ts';
import {
  addHandOrder,
  attachOrder,
  eraseOrder,
  findOrder,
  findOrderByKey,
  giveBackOrder,
  grantOrder,
  linkToClaim,
  listSales,
  type OrderQuery,
  pagedOrders,
  readOrderStory,
  replayOrder,
  revokeOrder,
} from '../../src/selling/order.ts';
import { pagedMails, repeatMail } from '../../src/selling/mails.ts';
import {
  askAboutWaiting,
  reconcile,
  replayAllEvents,
  retryFailedEvents,
} from '../../src/selling/sale-event.ts';
import { listDownloads, listQuestions, listUsage } from '../../src/asking/log.ts';
import type { MailState } from '../../src/mailing/outbox.rule.ts';
import { isServed } from '../../src/platform/store/server-note.ts';
import type { Stall } from '../../src/office/stall.ts';
import { findEdition, listEditions, rollBackEdition, withdrawEdition } from '../../src/catalog/edition.ts';
import type { PagePlace } from '../../src/platform/store/paging.ts';
import { exportPersonalData, removeAccount } from '../../src/selling/personal-data.ts';

type Part = Pick<Stall, 'store' | 'now'> & { readonly config: { readonly data: string } };

/** The use cases of accounts, keys and tokens as a test's setting calls them: by e-mail address and id. */
export function createOffice(stall: Part, by: Actor = 'command') {
  const { store } = stall;
  const logs = { store, now: stall.now, isServed: () => isServed(stall.config.data) };
  const ofLogs =
    <Result>(use: (stall: typeof logs, email: string | null, since: string | null) => Result) =>
    (email: string | null, since: string | null): Result =>
      use(logs, email, since);
  const read =
    <Rest extends readonly unknown[], Result>(use: (stall: Part, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      use(stall, ...rest);
  const act =
    <Rest extends readonly unknown[], Result>(use: (stall: Part, by: Actor, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      use(stall, by, ...rest);
  const ownerOf = async (email: string) => {
    const { id: accountId, email: address } = findAccount(stall, email);
    return { accountId, email: address };
  };
  return {
    logs: {
      fetches: ofLogs(listQuestions),
      downloads: ofLogs(listDownloads),
      usage: ofLogs(listUsage),
    },
    accounts: {
      find: (email: string) => findAccount(stall, email),
      findOwner: store.findOwner,
      list: store.listAccounts,
      add: (email: string, isOwner = false) => addAccount(stall, by, { email, isOwner }),
      disable: (email: string) => disableAccount(stall, by, email),
      enable: (email: string) => enableAccount(stall, by, email),
    },
    orders: {
      find: read(findOrder),
      findByKey: read(findOrderByKey),
      story: read(readOrderStory),
      page: (query: OrderQuery, place: PagePlace) => pagedOrders(stall, query).page(place),
      rows: (query: OrderQuery) => pagedOrders(stall, query).all(),
      count: (query: OrderQuery) => store.countOrders({ ...query, now: stall.now() }),
      grant: act(grantOrder),
      revoke: act(revokeOrder),
      giveBack: act(giveBackOrder),
      attach: act(attachOrder),
      replay: act(replayOrder),
      erase: act(eraseOrder),
    },
    addHandOrder: act(addHandOrder),
    importOrders: async (csv: string, choices: ImportChoices = {}) =>
      importOrders(stall, by, await readSaleList(csv), choices),
    linkToClaim: act(linkToClaim),
    listSales: read(listSales),
    reconcile: read(reconcile),
    replays: {
      failed: act(retryFailedEvents),
      all: act(replayAllEvents),
      waiting: read(askAboutWaiting),
    },
    codes: {
      create: act(createCodes),
      list: read(listCodes),
      find: read(findCode),
      revoke: act(revokeCode),
    },
    mails: {
      page: (state: MailState | null, place: PagePlace) => pagedMails(stall, state).page(place),
      repeat: act(repeatMail),
    },
    groups: {
      list: store.listGroups,
      add: act(addGroup),
      remove: act(removeGroup),
      join: act(joinGroup),
      leave: act(leaveGroup),
      grant: (group: string, slugs: readonly string[], dates: Parameters<typeof grantToGroup>[2]['dates']) =>
        grantToGroup(stall, by, { group, slugs, dates }),
      revoke: act(revokeFromGroup),
    },
    grants: {
      add: (request: Parameters<typeof addGrant>[2]) => addGrant(stall, by, request),
      list: (email: string | null) => listGrants(stall, email),
      revoke: async (email: string, slug: string, source: string | null) =>
        (await revokeGrants(stall, by, { email, slug, source })).revoked,
      revokeOne: (grant: Parameters<typeof revokeGrant>[2]) => revokeGrant(stall, by, grant),
      import: async (csv: string) => (await importGrants(stall, by, csv)).added,
      importWithAccounts: (csv: string, origin: string) => importGrants(stall, by, csv, origin),
    },
    editions: {
      list: (slug: string) => listEditions(stall, slug),
      find: (slug: string, wanted: string) => findEdition(stall, slug, wanted),
      rollBack: (slug: string, wanted: string) => rollBackEdition(stall, by, { slug, wanted }),
      withdraw: (slug: string, wanted: string) => withdrawEdition(stall, by, { slug, wanted }),
    },
    personalData: {
      export: (email: string) => exportPersonalData(stall, email),
      remove: (email: string) => removeAccount(stall, by, email),
    },
    links: {
      create: (email: string, purpose: 'invite' | 'reset', origin: string) =>
        createLink(stall, by, { email, purpose }, origin),
      find: (secret: string) => findLink(stall, secret),
      list: () => store.listLinks(stall.now()),
      revoke: (id: number) => revokeLink(stall, by, id),
    },
    keys: {
      create: async (email: string, name: string, term: KeyTerm) =>
        withKey(await createKey(stall, by, await ownerOf(email), { name, term })),
      renew: async (email: string, name: string, term: KeyTerm) =>
        withKey(await createKey(stall, by, await ownerOf(email), { name, term, write: 'renewKey' })),
      rotate: async (id: string, overlap?: Overlap) =>
        withKey(await rotateKey(stall, by, findKey(stall, 'key', id), overlap)),
      list: async (email: string) => store.listKeys('key', (await ownerOf(email)).accountId),
      async revoke(id: string) {
        const key = findKey(stall, 'key', id);
        await revokeKey(stall, by, 'key', key);
        return key;
      },
    },
    /** The same by an account on its own page. */
    ownKeys: {
      create: async (accountId: string, name: string, term: KeyTerm) =>
        withKey(await createKey(stall, 'itself', { accountId, email: '' }, { name, term })),
      rotate: async (accountId: string, id: string, overlap: Overlap) =>
        withKey(await rotateKey(stall, 'itself', findKey(stall, 'key', id, accountId), overlap)),
      list: (accountId: string) => store.listKeys('key', accountId),
      revoke: async (accountId: string, id: string) =>
        revokeKey(stall, 'itself', 'key', findKey(stall, 'key', id, accountId)),
    },
    publishKeys: {
      create: (email: string, name: string) =>
        createPublishKey(stall, by, findAccount(stall, email), {
          name,
          slugs: ['acme-*'],
          setsTerms: true,
          term: { days: 90 },
        }),
    },
    tokens: {
      async create(
        email: string,
        { slugs, ...request }: { name: string; slugs: readonly string[]; reads: boolean; term: KeyTerm },
      ) {
        const owner = await ownerOf(email);
        const items = readTokenItems(stall, slugs);
        const { secret: token, ...created } = await createToken(stall, by, owner, { ...request, items });
        return { ...created, token };
      },
      list: async (email: string) => store.listKeys('token', (await ownerOf(email)).accountId),
      async revoke(id: string) {
        const token = findKey(stall, 'token', id);
        await revokeKey(stall, by, 'token', token);
        return token;
      },
    },
  };
}

/** The same over the data directory of a stall that runs, as the commands are beside it. */
export async function openOffice(dataDirectory: string) {
  const admin = await openAdmin(openStore, dataDirectory);
  return { ...admin, ...createOffice(admin) };
}

export type Office = Awaited<ReturnType<typeof openOffice>>;

function withKey<Created extends { readonly secret: string }>({ secret, ...created }: Created) {
  return { ...created, key: secret };
}
