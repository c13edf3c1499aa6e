import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type AuditAction, listAudit } from '../platform/store/audit-entry.ts';
import type { AuditDetails } from '../platform/store/audit-log.sql.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { DataTable, Empty, Pager, When } from '../platform/site/data-table.tsx';
import { sendAdminPage } from './office.part.tsx';
import { readRowId } from '../platform/base/text.ts';

const AUDIT = '/admin/audit';

const ACTIONS: Readonly<Record<AuditAction, string>> = {
  'assistant.connect': 'Connected an assistant',
  'assistant.disconnect': 'Disconnected an assistant',
  'assistant.reuse': 'Ended an assistant whose token was used twice',
  'account.add': 'Added an account',
  'account.disable': 'Disabled an account',
  'account.editor': 'Made or ended an editor',
  'account.email': 'Changed an e-mail address',
  'account.enable': 'Enabled an account',
  'account.link': 'Created a link',
  'account.remove': 'Removed an account',
  'account.second-step': 'Changed a second step',
  'backup.download': 'Downloaded a backup',
  'code.create': 'Made codes',
  'code.revoke': 'Revoked a code',
  'grant.add': 'Granted an item',
  'grant.revoke': 'Revoked a grant',
  'group.add': 'Added a group',
  'group.join': 'Let an account into a group',
  'group.leave': 'Took an account out of a group',
  'group.remove': 'Removed a group',
  'grants.import': 'Imported grants',
  'item.announce': 'Told the readers of an item',
  'item.push': 'Pushed an item',
  'item.rollback': 'Rolled an item back',
  'item.withdraw': 'Withdrew an edition',
  'items.reindex': 'Reloaded content',
  'key.create': 'Created a key',
  'key.revoke': 'Revoked a key',
  'key.rotate': 'Rotated a key',
  'link.revoke': 'Revoked a link',
  'publish-key.create': 'Created a publish key',
  'publish-key.revoke': 'Revoked a publish key',
  'mail.send': 'Sent a mail again',
  'news.remove': 'Erased an address for news',
  'report.set': 'Set the state of a report',
  'order.add': 'Added an order',
  'order.attach': 'Gave an order to an account',
  'order.erase': 'Erased an order',
  'order.give-back': 'Marked an order as refunded',
  'order.grant': 'Granted an order',
  'order.link': 'Created a claim link',
  'order.replay': 'Replayed an order',
  'order.revoke': 'Revoked an order',
  'orders.import': 'Imported orders',
  'setting.set': 'Changed a setting',
  'token.create': 'Created an install link',
  'token.revoke': 'Revoked an install link',
};

const readCursor = (query: Query): number | null => readRowId(query['after'] ?? '');

export function showAudit(http: Http, owner: SessionPrincipal, query: Query): Response {
  const after = readCursor(query);
  const { entries, next } = listAudit(http.stall, after);
  return sendAdminPage(
    http,
    owner,
    {
      current: AUDIT,
      title: 'Audit log',
      lead: 'Every change to this stall, made in the office or on the command line.',
    },
    <>
      <DataTable
        caption="Actions, newest first"
        columns={{
          When: ({ at }) => <When at={at} withTime />,
          Action: ({ action }) => (Object.hasOwn(ACTIONS, action) ? ACTIONS[action as AuditAction] : action),
          Subject: ({ subject }) => subject,
          Details: ({ details }) => describe(details),
          By: ({ via, actorEmail }) => (via === 'page' ? (actorEmail ?? 'a removed account') : BY[via]),
        }}
        rows={entries}
        empty={<Empty>No entries yet. Every change is recorded here.</Empty>}
      />
      <Pager
        newer={after === null ? null : ''}
        older={next === null ? null : `?after=${next}`}
        to={(cursor) => `${AUDIT}${cursor}`}
        names={['Newest', 'Older']}
      />
    </>,
  );
}

/** The names of those who changed something without an account. The stall does not know which person that was. */
const BY = { command: 'the command line', signal: 'a signal to the server', push: 'a publish key' } as const;

function describe(details: AuditDetails): string {
  const parts = Object.entries(details).map(([name, value]) => {
    const isTime = typeof value === 'number' && (name === 'from' || name === 'until');
    return `${name}: ${isTime ? new Date(value).toISOString().slice(0, 10) : (value ?? 'never')}`;
  });
  return parts.join(', ');
}
