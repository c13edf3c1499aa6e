import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { MintedLink } from '../accounts/link.ts';
import type { Http } from '../platform/http/http.ts';
import { type PageHead, SECOND_STEP, sendPage } from '../platform/site/page.tsx';
import { When } from '../platform/site/data-table.tsx';
import type { ActSite } from '../platform/site/act.tsx';
import { ACCOUNTS, GROUPS, ITEMS, ORDERS, REPORTS } from '../platform/site/paths.ts';
import { CopyLine } from '../platform/site/form.tsx';
import { formatsIn } from '../words/formats.ts';

const MENU = {
  Shop: [
    { href: '/admin', name: 'Overview' },
    { href: ITEMS, name: 'Items' },
    { href: ORDERS, name: 'Orders' },
    { href: '/admin/sales', name: 'Sales' },
    { href: '/admin/codes', name: 'Codes' },
    { href: '/admin/orders/import', name: 'Import' },
    { href: '/admin/settings', name: 'Settings' },
  ],
  Readers: [
    { href: ACCOUNTS, name: 'Accounts' },
    { href: GROUPS, name: 'Groups' },
    { href: REPORTS, name: 'Reports' },
    { href: '/admin/links', name: 'Links' },
  ],
  Log: [
    { href: '/admin/mail', name: 'Mail' },
    { href: '/admin/logs', name: 'Questions' },
    { href: '/admin/downloads', name: 'Downloads' },
    { href: '/admin/audit', name: 'Audit log' },
  ],
} as const;

const EDITOR_MENU = {
  Office: [
    { href: ITEMS, name: 'Items' },
    { href: REPORTS, name: 'Reports' },
    { href: SECOND_STEP, name: 'Second step' },
  ],
};

type AdminPage = PageHead & { readonly current: (typeof MENU)[keyof typeof MENU][number]['href'] };

export function sendAdminPage(
  { viewOf }: Http,
  owner: SessionPrincipal,
  { current, ...head }: AdminPage,
  body: ComponentChildren,
): Response {
  const section = { name: 'Office', groups: owner.isOwner ? MENU : EDITOR_MENU, current };
  const view = viewOf(owner);
  return sendPage(
    view,
    { ...head, current: '/admin', section },
    <>
      {view.isDemo && (
        <p class="quiet">
          In a demo only the sales are pretended, and end with it. Accounts, codes, grants and links that you
          make here are real, and stay.
        </p>
      )}
      {body}
    </>,
  );
}

/** The site of the owner's actions that ask for confirmation. `current` is the href of its entry in the menu. */
export const inOffice = (current: AdminPage['current']): ActSite => ({
  guard: 'owner',
  send: (http, owner, title, body) => sendAdminPage(http, owner, { current, title }, body),
});

/** Shows a one-time link that was just made. No other page shows it, and the stall does not store it. */
export const sendLink = (
  http: Http,
  owner: SessionPrincipal,
  head: AdminPage,
  { link, words, back }: { link: MintedLink; words: string; back: ComponentChildren },
): Response =>
  sendAdminPage(
    http,
    owner,
    head,
    <>
      <section class="secret stack">
        <CopyLine text={link.url} label={`For ${link.email}`} />
        <p>
          {words} It is valid until <When at={link.expiresAt} withTime />.
        </p>
      </section>
      {back}
    </>,
  );

const MONTH = 7;

const WIDTH = 720;
const HEIGHT = 120;

type TimeChartProps = {
  readonly title: string;
  readonly counts: readonly (readonly [period: string, count: number])[];
  readonly format?: (count: number) => string;
};

/**
 * A bar chart as SVG, with a bar for each day, such as `2026-11-20`, or each month, such as `2026-11`. A table with the same
 * figures should be beside it. `format` writes a figure as text.
 */
export function TimeChart({ title, counts, format = number }: TimeChartProps) {
  const by = counts[0]?.[0].length === MONTH ? 'month' : 'day';
  const most = Math.max(...counts.map(([, count]) => count));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const step = WIDTH / counts.length;
  // A bar is at least 2 pixels high, so that a small figure can be seen.
  const heightOf = (count: number): number => Math.max(2, Math.round((count / most) * HEIGHT));
  const words = all === 0 ? 'none' : `${format(all)} in total, at most ${format(most)} a ${by}`;
  return (
    <figure class="time-chart">
      <figcaption>
        <strong>{title}</strong>: {words}
      </figcaption>
      {all > 0 && (
        <>
          <svg
            class="chart"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-label={`${title} by ${by}: ${words}`}
          >
            {counts.map(([period, count], n) =>
              count === 0 ? null : (
                <rect
                  class="bar"
                  x={(n + 1 / 8) * step}
                  y={HEIGHT - heightOf(count)}
                  width={0.75 * step}
                  height={heightOf(count)}
                >
                  <title>{`${period}: ${format(count)}`}</title>
                </rect>
              ),
            )}
            <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          </svg>
          <p class="span">
            <span>{spell(counts[0]?.[0])}</span>
            <span>{spell(counts.at(-1)?.[0])}</span>
          </p>
        </>
      )}
    </figure>
  );
}

const number = (count: number): string => count.toLocaleString('en');

export function spell(period: string | undefined): string {
  if (period === undefined) return '';
  const day = formatsIn('en-GB').instant(new Date(period), false, 'UTC');
  return period.length === MONTH ? day.slice(day.indexOf(' ') + 1) : day;
}

/** A large figure at the top of a page, with its name. It must stand in a `<dl class="stats">`. */
export const Stat = ({ name, count }: { name: string; count: number | string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{typeof count === 'string' ? count : number(count)}</dd>
  </div>
);
