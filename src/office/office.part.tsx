import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { MintedLink } from '../accounts/one-time-link.ts';
import type { Http } from '../platform/http/http.ts';
import { type PageHead, SECOND_STEP, sendPage } from '../platform/site/page.tsx';
import type { SiteSection } from '../platform/site/layout.tsx';
import { officeOf, useFormats, useOffice } from '../platform/site/words.tsx';
import type { Office } from '../words/office.ts';
import { When } from '../platform/site/data-table.tsx';
import type { ActSite } from '../platform/site/act.tsx';
import { ACCOUNTS, GROUPS, ITEMS, ORDERS, REPORTS } from '../platform/site/linked-pages.ts';
import { CopyLine } from '../platform/site/form.tsx';
import { formatsIn } from '../words/formats.ts';

const SHOP = [
  '/admin',
  ITEMS,
  ORDERS,
  '/admin/sales',
  '/admin/codes',
  '/admin/orders/import',
  '/admin/settings',
] as const;
const READERS = [ACCOUNTS, GROUPS, REPORTS, '/admin/links'] as const;
const LOGS = ['/admin/mail', '/admin/logs', '/admin/downloads', '/admin/audit'] as const;
const EDITORS = [ITEMS, REPORTS, SECOND_STEP] as const;

type Place = (typeof SHOP | typeof READERS | typeof LOGS | typeof EDITORS)[number];

function menuOf({ frame: { menu, pages } }: Office, isOwner: boolean): SiteSection['groups'] {
  const links = (hrefs: readonly Place[]) => hrefs.map((href) => ({ href, name: pages[href] }));
  return isOwner
    ? { [menu.shop]: links(SHOP), [menu.readers]: links(READERS), [menu.log]: links(LOGS) }
    : { [menu.office]: links(EDITORS) };
}

type AdminPage = PageHead & { readonly current: Place };

export function sendAdminPage(
  http: Http,
  owner: SessionPrincipal,
  { current, ...head }: AdminPage,
  body: ComponentChildren,
): Response {
  const w = officeOf(http, owner);
  const section = { name: w.frame.menu.office, groups: menuOf(w, owner.isOwner), current };
  const view = http.viewOf(owner);
  return sendPage(
    view,
    { ...head, current: '/admin', section },
    <>
      {view.isDemo && <p class="quiet">{w.frame.demo}</p>}
      {body}
    </>,
  );
}

/** Where the owner confirms an action: in the office, with the menu's entry `current` (an href) marked. */
export const inOffice = (current: AdminPage['current']): ActSite => ({
  guard: 'owner',
  send: (http, owner, title, body) => sendAdminPage(http, owner, { current, title }, body),
});

/** Shows a one-time link that was just made. No other page can show it: the stall does not store it. */
export const sendLink = (
  http: Http,
  owner: SessionPrincipal,
  head: AdminPage,
  { link, words, back }: { link: MintedLink; words: string; back: ComponentChildren },
): Response => {
  const { frame } = officeOf(http, owner);
  return sendAdminPage(
    http,
    owner,
    head,
    <>
      <section class="secret stack">
        <CopyLine text={link.url} label={frame.linkFor({ email: link.email ?? '' })} />
        <p>
          {words} {frame.validUntil(<When at={link.expiresAt} withTime />)}
        </p>
      </section>
      {back}
    </>,
  );
};

const MONTH = 7;

const WIDTH = 720;
const HEIGHT = 120;

type TimeChartProps = {
  readonly title: string;
  readonly counts: readonly (readonly [period: string, count: number])[];
  readonly format?: (count: number) => string;
};

/**
 * A bar chart as SVG, with a bar for each day, such as `2026-11-20`, or each month, such as `2026-11`. It needs a table with
 * the same figures beside it. `format` writes a figure as text.
 */
export function TimeChart({ title, counts, format }: TimeChartProps) {
  const { frame, formats, locale } = useOffice();
  const write = format ?? formats.number;
  const by = counts[0]?.[0].length === MONTH ? 'month' : 'day';
  const most = Math.max(...counts.map(([, count]) => count));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const step = WIDTH / counts.length;
  // A bar is at least 2 units high, so that a small figure can be seen.
  const heightOf = (count: number): number => Math.max(2, Math.round((count / most) * HEIGHT));
  const words = frame.inTotal({ all, by, total: write(all), most: write(most) });
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
            aria-label={frame.chart({ title, by, words })}
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
                  <title>{`${period}: ${write(count)}`}</title>
                </rect>
              ),
            )}
            <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          </svg>
          <p class="span">
            <span>{spell(counts[0]?.[0], locale)}</span>
            <span>{spell(counts.at(-1)?.[0], locale)}</span>
          </p>
        </>
      )}
    </figure>
  );
}

/** Writes a day as `20 Nov 2026`, or a month as `Nov 2026`; '' without one. */
export function spell(period: string | undefined, locale: string): string {
  if (period === undefined) return '';
  const day = formatsIn(locale).instant(new Date(period), false, 'UTC');
  return period.length === MONTH ? day.slice(day.indexOf(' ') + 1) : day;
}

/** A large figure at the top of a page, with its name. It must stand in a `<dl class="stats">`. */
export const Stat = ({ name, count }: { name: string; count: number | string }) => {
  const { number } = useFormats();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof count === 'string' ? count : number(count)}</dd>
    </div>
  );
};
