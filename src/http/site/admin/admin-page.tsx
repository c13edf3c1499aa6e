import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { Notice, PageHeading, sendPage } from '../frame/page.tsx';

/** The paths of lists to which pages of other nouns lead. */
export const ACCOUNTS = '/admin/accounts';
export const ITEMS = '/admin/items';
export const ORDERS = '/admin/orders';

/** The pages of the office, as its navigation names them. */
const PAGES = [
  { href: '/admin', name: 'Overview' },
  { href: ITEMS, name: 'Items' },
  { href: ORDERS, name: 'Orders' },
  { href: '/admin/sales', name: 'Sales' },
  { href: '/admin/mail', name: 'Mail' },
  { href: '/admin/codes', name: 'Codes' },
  { href: ACCOUNTS, name: 'Accounts' },
  { href: '/admin/links', name: 'Links' },
  { href: '/admin/grants/import', name: 'Import' },
  { href: '/admin/logs', name: 'Questions' },
  { href: '/admin/downloads', name: 'Downloads' },
  { href: '/admin/audit', name: 'Audit log' },
] as const;

/** A page of the office: its place in the navigation, and its heading. */
export type AdminPage = {
  readonly current: (typeof PAGES)[number]['href'];
  readonly title: string;
  /** The language of the title, if it is an item's. */
  readonly language?: string | null;
  readonly lead?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** The result of the form that led here: the sentence to show, or why it was refused. */
  readonly said?: string | null;
  readonly refused?: Refused | null;
};

/** Sends a page of the office. */
export function sendAdminPage(
  { viewOf }: Http,
  owner: SessionPrincipal,
  { current, title, language, lead, actions, said = null, refused = null }: AdminPage,
  body: ComponentChildren,
): Response {
  return sendPage(
    viewOf(owner),
    { title, current: '/admin', section: { name: 'Office', links: PAGES, current }, ...refused },
    <>
      <PageHeading title={title} language={language} lead={lead}>
        {actions}
      </PageHeading>
      {said !== null && <Notice kind="good">{said}</Notice>}
      {refused !== null && <Complaint {...refused} />}
      {body}
    </>,
  );
}

/** A refusal's sentence, with a list of its further lines. */
function Complaint({ sentence }: Refused) {
  const [first, ...faults] = sentence.split('\n');
  return (
    <Notice kind="bad">
      <p>{first}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
