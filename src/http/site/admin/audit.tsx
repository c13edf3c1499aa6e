import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { AuditDetails, AuditEntry } from '../../../store/tables/audit-log.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';

const AUDIT = '/admin/audit';

/** What was done, in words. */
const ACTIONS: Readonly<Record<string, string>> = {
  'account.add': 'Added an account',
  'account.disable': 'Disabled an account',
  'account.enable': 'Enabled an account',
  'account.link': 'Made a link',
  'grant.add': 'Granted an item',
  'grant.revoke': 'Revoked a grant',
  'grants.import': 'Imported grants',
  'items.reindex': 'Took up changed content',
  'key.revoke': 'Revoked a key',
};

/** `GET /admin/audit`: what the owner did through the site. */
export function audit(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(AUDIT, ({ query, owner }) => show(deps, owner, readCursor(query)), { ownerGuard: true });
}

/** The id of the entry after which older ones follow; null, the newest, also for what is none. */
function readCursor(query: Readonly<Record<string, string>>): number | null {
  const text = query['after'] ?? '';
  return /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null;
}

async function show(deps: RouteDeps, owner: SessionPrincipal, after: number | null): Promise<Response> {
  const { entries, next } = await deps.service.audit.list(after);
  return sendAdminPage(
    deps,
    owner,
    {
      room: AUDIT,
      title: 'Your acts',
      lead: 'What the owner did in this office. What is done on the command line is not noted here.',
    },
    <>
      <DataTable
        caption="What was done, newest first"
        columns={['When', 'What', 'With', 'Details', 'By']}
        rows={entries.map((entry) => ({ key: String(entry.id), cells: cellsOf(entry) }))}
        empty={<Empty>Nothing is noted yet. What you change in the office stands here from then on.</Empty>}
      />
      <Pager
        newer={after === null ? null : AUDIT}
        older={next === null ? null : `${AUDIT}?after=${next}`}
        names={['Newest', 'Older']}
      />
    </>,
  );
}

function cellsOf({ at, action, subject, details, actorEmail }: AuditEntry) {
  return [
    <When at={at} withTime />,
    ACTIONS[action] ?? action,
    subject,
    describe(details),
    actorEmail ?? 'an account that was removed',
  ];
}

/** The details in a line; the times of a grant are days. */
function describe(details: AuditDetails): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${name}: ${isTime(name, value) ? new Date(value).toISOString().slice(0, 10) : (value ?? 'never')}`,
    )
    .join(', ');
}

function isTime(name: string, value: AuditDetails[string]): value is number {
  return typeof value === 'number' && (name === 'from' || name === 'until');
}
