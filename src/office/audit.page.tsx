import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { type AuditAction, listAudit } from '../platform/store/audit-entry.ts';
import type { AuditDetails } from '../platform/store/audit-log.sql.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { DataTable, Empty, Pager, When } from '../platform/site/data-table.tsx';
import { sendAdminPage } from './office.part.tsx';
import { readRowId } from '../platform/base/text.ts';

const AUDIT = '/admin/audit';

const readCursor = (query: Query): number | null => readRowId(query['after'] ?? '');

export function showAudit(http: Http, owner: SessionPrincipal, query: Query): Response {
  const w = officeOf(http, owner);
  const after = readCursor(query);
  const { entries, next } = listAudit(http.stall, after);
  return sendAdminPage(
    http,
    owner,
    {
      current: AUDIT,
      title: w.audit.title,
      lead: w.audit.lead,
    },
    <>
      <DataTable
        caption={w.audit.caption}
        columns={{
          [w.common.when]: ({ at }) => <When at={at} withTime />,
          [w.audit.action]: ({ action }) =>
            Object.hasOwn(w.audit.actions, action) ? w.audit.actions[action as AuditAction] : action,
          [w.audit.subject]: ({ subject }) => <bdi>{subject}</bdi>,
          [w.audit.details]: ({ details }) => <bdi lang="en">{describe(details)}</bdi>,
          [w.audit.by]: ({ via, actorEmail }) =>
            via === 'page' ? (actorEmail ?? w.audit.removedAccount) : w.audit.actors[via],
        }}
        rows={entries}
        empty={<Empty>{w.audit.noEntries}</Empty>}
      />
      <Pager
        newer={after === null ? null : ''}
        older={next === null ? null : `?after=${next}`}
        to={(cursor) => `${AUDIT}${cursor}`}
        names={[w.audit.newest, w.audit.older]}
      />
    </>,
  );
}

function describe(details: AuditDetails): string {
  const parts = Object.entries(details).map(([name, value]) => {
    const isTime = typeof value === 'number' && (name === 'from' || name === 'until');
    return `${name}: ${isTime ? new Date(value).toISOString().slice(0, 10) : (value ?? 'never')}`;
  });
  return parts.join(', ');
}
