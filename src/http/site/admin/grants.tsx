import { ACCOUNTS, sendAdminPage } from './office.tsx';
import { type SessionPrincipal } from '../../../access/principal.ts';
import { isLive } from '../../../access/grant.ts';
import type { AccountSummary } from '../../../store/tables/accounts.ts';
import type { ListedGrant } from '../../../store/tables/grants.ts';
import { counted, DataTable, Empty, When } from '../parts/data-table.tsx';
import {
  Act,
  Button,
  Checkbox,
  Field,
  Form,
  type Options,
  QuietLink,
  Select,
  TextArea,
} from '../parts/form.tsx';
import { importGrants } from '../../../service/grants.ts';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';
import { handleForm, type FormEnd, withFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { linkTable, type MintedLink } from '../../../service/links.ts';

/** The typed values of a grant's form; dates as `2026-11-20`. */
export type TypedGrant = Readonly<Record<'slug' | 'from' | 'until' | 'source', string>>;

export const BLANK_GRANT: TypedGrant = { slug: '', from: '', until: '', source: '' };

/** An account's grants, active or not. */
export function accountGrants(account: AccountSummary, grants: readonly ListedGrant[], now: number) {
  return (
    <DataTable
      caption="Grants of this account"
      columns={{
        Item: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{slug}</a>,
        Source: ({ source }) => source,
        Granted: ({ grantedAt }) => <When at={grantedAt} />,
        From: ({ from }) => <When at={from} />,
        Until: ({ until }) => <When at={until} never="no end" />,
        State: (grant) => <GrantState account={account} grant={grant} now={now} />,
        '': (grant) =>
          grant.revokedAt === null && <QuietLink href={addressOf(account, grant)}>Revoke…</QuietLink>,
      }}
      rows={grants}
      empty={<Empty>No grants yet. “Grant an item” adds one to this account’s library.</Empty>}
    />
  );
}

type Dated = Pick<ListedGrant, 'from' | 'until' | 'revokedAt'>;
type Holding = Pick<AccountSummary, 'disabledAt'>;

/** A grant's state as a badge, and when it was revoked. */
export function GrantState({ account, grant, now }: { account: Holding; grant: Dated; now: number }) {
  const state = stateOf(account, grant, now);
  return (
    <>
      <span class={state === 'active' ? 'badge good' : 'badge'}>{state}</span>{' '}
      {grant.revokedAt !== null && <When at={grant.revokedAt} />}
    </>
  );
}

/** Whether a grant is active, and if not, why. */
export function stateOf({ disabledAt }: Holding, grant: Dated, now: number) {
  if (grant.revokedAt !== null) return 'revoked';
  if (isLive(grant, now)) return disabledAt === null ? 'active' : 'inactive (account disabled)';
  return grant.from > now ? 'not started' : 'expired';
}

/** The page that revokes a grant. It names the item by its key, since the slug may belong to another item by now. */
function addressOf({ id }: AccountSummary, { kind, itemKey, source }: ListedGrant): string {
  return `${ACCOUNTS}/${id}/grants/revoke?${new URLSearchParams({ kind, item: itemKey, source })}`;
}

/** The form of a grant to the account of this page; `items` are those to choose from by their slugs, null if there are too many. */
export function grantForm(path: string, items: Options | null, typed: TypedGrant, isOpen: boolean) {
  return (
    <Act name="Grant an item" isOpen={isOpen}>
      <Form action={`${path}/grants/add`} label="Grant an item">
        {items === null ? (
          <Field
            label="Item"
            name="slug"
            value={typed.slug}
            hint="Its slug: the last part of its page’s address"
            autocomplete="off"
            required
          />
        ) : (
          <Select label="Item" name="slug" options={items} value={typed.slug} />
        )}
        <Field label="From" name="from" type="date" value={typed.from} hint="Leave empty to start now" />
        <Field
          label="Until"
          name="until"
          type="date"
          value={typed.until}
          hint="Ends when this day starts, in UTC. Leave empty for no end"
        />
        <Field
          label="Source"
          name="source"
          value={typed.source}
          hint="Where it came from, such as an order number. Granting an item again with the same source changes its dates"
          autocomplete="off"
          maxLength={200}
        />
        <Button>Grant item</Button>
      </Form>
    </Act>
  );
}

const IMPORT = '/admin/grants/import';

const BLANK = { csv: '', makesAccounts: false };

/** The largest file that is read, in bytes as a form encodes them. The server itself reads a little more, so that this page can refuse. */
const MOST = 1000 * 1024;

/** `POST /admin/grants/import`: imports grants from CSV, all of them or none. */
export async function importList(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const form = await readForm(request, MOST);
  const typed = { csv: form.text('csv'), makesAccounts: form.text('accounts') === 'on' };
  return handleForm(
    async () => {
      const origin = typed.makesAccounts ? http.viewOf(owner).origin : null;
      const { added, links } = await importGrants(http.stall, owner, typed.csv, origin);
      return links.length === 0
        ? redirect(withFlash(IMPORT, 'imported'))
        : sendImportedLinks(http, owner, added, links);
    },
    (refused) => showImport(http, owner, { typed, refused }),
  );
}

/** `GET /admin/grants/import`: the form; after a refusal, with the reason and the typed lines. */
export function showImport(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed: { csv, makesAccounts } = BLANK }: FormEnd<typeof BLANK>,
): Response {
  return sendAdminPage(
    http,
    owner,
    {
      current: IMPORT,
      title: 'Import grants',
      lead: 'Paste a shop’s list of sales as CSV. Either all of its lines are imported, or none.',
      said,
      refused,
    },
    <Form action={IMPORT}>
      <TextArea
        label="CSV"
        name="csv"
        value={csv}
        rows={12}
        hint={
          <>
            The first line is <code>email,slug,from,until,source</code>; the last three columns are optional.
            Dates are written as 2026-11-20. Importing a line again changes the dates of its grant. A list of
            more than 1 MB goes in parts.
          </>
        }
      />
      <Checkbox
        label="Create missing accounts, and show an invite link for each"
        name="accounts"
        checked={makesAccounts}
      />
      <Button>Import grants</Button>
    </Form>,
  );
}

/** Answers an import that created accounts. No other page shows their links, and nothing keeps them. */
function sendImportedLinks(http: Http, owner: SessionPrincipal, added: number, links: readonly MintedLink[]) {
  return sendAdminPage(
    http,
    owner,
    {
      current: IMPORT,
      title: `${counted(links.length, 'account')} created`,
      lead: 'Save this table now: the links are not mailed, and are shown only once.',
      said: `${counted(added, 'grant')} added.`,
    },
    <>
      <section class="secret stack">
        <TextArea label="Invite links as CSV" name="links" value={linkTable(links)} rows={12} isFixed />
        <p>
          Each link opens a page where its reader chooses a password. It works once, until{' '}
          <When at={links[0]?.expiresAt ?? null} withTime />.
        </p>
      </section>
      <QuietLink href="/admin/links">All open links</QuietLink>
    </>,
  );
}
