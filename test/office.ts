import type { Actor } from '../src/access/actor.ts';
import { openAdmin } from '../src/app.ts';
import { addAccount, disableAccount, enableAccount, findAccount } from '../src/service/accounts.ts';
import {
  createKey,
  createToken,
  findKey,
  type Overlap,
  readTokenItems,
  renewKey,
  revokeKey,
  rotateKey,
  type Term,
} from '../src/service/keys.ts';
import { addGrant, importGrants, listGrants, revokeGrant, revokeGrants } from '../src/service/grants.ts';
import { createLink, findLink, revokeLink } from '../src/service/links.ts';
import type { Stall } from '../src/service/stall.ts';

/** The use cases of accounts, keys and tokens as a test's setting calls them: by e-mail address and id. */
export function createOffice(stall: Pick<Stall, 'store' | 'now'>, by: Actor = 'command') {
  const { store } = stall;
  const ownerOf = async (email: string) => {
    const { id: accountId, email: address } = await findAccount(stall, email);
    return { accountId, email: address };
  };
  return {
    accounts: {
      find: (email: string) => findAccount(stall, email),
      findOwner: store.findOwner,
      list: store.listAccounts,
      add: (email: string, isOwner = false) => addAccount(stall, by, email, isOwner),
      disable: (email: string) => disableAccount(stall, by, email),
      enable: (email: string) => enableAccount(stall, by, email),
    },
    grants: {
      add: (request: Parameters<typeof addGrant>[2]) => addGrant(stall, by, request),
      list: (email: string | null) => listGrants(stall, email),
      revoke: (email: string, slug: string, source: string | null) =>
        revokeGrants(stall, by, email, slug, source),
      revokeOne: (grant: Parameters<typeof revokeGrant>[2]) => revokeGrant(stall, by, grant),
      import: async (csv: string) => (await importGrants(stall, by, csv)).added,
      importWithAccounts: (csv: string, origin: string) => importGrants(stall, by, csv, origin),
    },
    links: {
      create: (email: string, purpose: 'invite' | 'reset', origin: string) =>
        createLink(stall, by, email, purpose, origin),
      find: (secret: string) => findLink(stall, secret),
      list: () => store.listLinks(stall.now()),
      revoke: (id: number) => revokeLink(stall, by, id),
    },
    keys: {
      create: async (email: string, name: string, term: Term) =>
        withKey(await createKey(stall, by, await ownerOf(email), name, term)),
      renew: async (email: string, name: string, term: Term) =>
        withKey(await renewKey(stall, by, await ownerOf(email), name, term)),
      rotate: async (id: string, overlap?: Overlap) =>
        withKey(await rotateKey(stall, by, await findKey(stall, 'key', id), overlap)),
      list: async (email: string) => store.listKeys('key', (await ownerOf(email)).accountId),
      async revoke(id: string) {
        const key = await findKey(stall, 'key', id);
        await revokeKey(stall, by, 'key', key);
        return key;
      },
    },
    /** The same by an account on its own page. */
    ownKeys: {
      create: async (accountId: string, name: string, term: Term) =>
        withKey(await createKey(stall, 'itself', { accountId, email: '' }, name, term)),
      rotate: async (accountId: string, id: string, overlap: Overlap) =>
        withKey(await rotateKey(stall, 'itself', await findKey(stall, 'key', id, accountId), overlap)),
      list: (accountId: string) => store.listKeys('key', accountId),
      revoke: async (accountId: string, id: string) =>
        revokeKey(stall, 'itself', 'key', await findKey(stall, 'key', id, accountId)),
    },
    tokens: {
      async create(
        email: string,
        { slugs, ...request }: { name: string; slugs: readonly string[]; reads: boolean; term: Term },
      ) {
        const owner = await ownerOf(email);
        const items = await readTokenItems(stall, slugs);
        const { secret: token, ...created } = await createToken(stall, by, owner, { ...request, items });
        return { ...created, token };
      },
      list: async (email: string) => store.listKeys('token', (await ownerOf(email)).accountId),
      async revoke(id: string) {
        const token = await findKey(stall, 'token', id);
        await revokeKey(stall, by, 'token', token);
        return token;
      },
    },
  };
}

/** The same over the data directory of a stall that runs, as the commands are beside it. */
export async function openOffice(dataDirectory: string) {
  const admin = await openAdmin(dataDirectory);
  return { ...admin, ...createOffice(admin) };
}

export type Office = Awaited<ReturnType<typeof openOffice>>;

function withKey<Created extends { readonly secret: string }>({ secret, ...created }: Created) {
  return { ...created, key: secret };
}
