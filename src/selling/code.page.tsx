import { OfficeRefusal } from '../platform/base/told.ts';
import { officeIn } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import {
  createCodes,
  type CreatedCodes,
  findCode,
  listCodes,
  LONGEST_CODE_NOTE,
  revokeCode,
  stateOfCode,
} from './code.ts';
import { findNamedOrder } from './order.ts';
import { readForm } from '../platform/http/body.ts';
import { type FormEnd, handleForm } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import { isFree } from '../catalog/item.rule.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Act, Button, CopyLine, Field, Form, QuietLink, Select } from '../platform/site/form.tsx';
import { inOffice, sendAdminPage } from '../office/office.part.tsx';
import { DAY } from '../platform/base/duration.ts';
import { readRowId } from '../platform/base/text.ts';
import { type ActRoutes, actRoutes } from '../platform/site/act.tsx';
import { takesSales } from '../platform/config/sales.ts';
import { ITEMS } from '../platform/site/linked-pages.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { ItemTitles } from '../accounts/item-titles.part.tsx';

const CODES = '/admin/codes';

const DISCOUNTS: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'https://dashboard.stripe.com/coupons',
  polar: 'https://polar.sh/dashboard',
  lemonsqueezy: 'https://app.lemonsqueezy.com/discounts',
  gumroad: 'https://gumroad.com/checkout/discounts',
};

export async function makeCodes(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const form = await readForm(request);
  const typed = form.trimmed('slug', 'count', 'uses', 'until', 'order', 'note');
  return handleForm(
    async () => {
      const { slug, count, uses, until, order, note } = typed;
      const made = await createCodes(stall, owner, {
        slug,
        bundles: stall.catalog().bundles,
        note,
        count: readNumber(count || '1', 'codes'),
        uses: readNumber(uses || '1', 'uses'),
        until: until === '' ? null : endOf(until),
        orderId: order === '' ? null : findNamedOrder(stall, order).id,
      });
      return sendCodeSheet(http, owner, made);
    },
    (refused) => showCodes(http, owner, { typed, refused }),
  );
}

export function showCodes(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed = EMPTY_CODE_FORM }: FormEnd<CodeForm>,
): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const codes = listCodes(stall);
  const now = stall.now();
  const { editions, bundles } = stall.catalog();
  const products = [
    ...bundles.map(({ slug, title }) => [slug, w.codes.bundle({ title })] as const),
    ...editions
      .filter(({ manifest }) => manifest.status !== 'draft' && !isFree(manifest))
      .map(({ manifest: { slug, title } }) => [slug, title] as const),
  ];
  return sendAdminPage(
    http,
    owner,
    {
      current: CODES,
      title: w.codes.title,
      lead: w.codes.lead,
      said,
      refused,
    },
    <>
      {PAYMENT_PROVIDERS.filter((one) => takesSales(stall.config.sales, one)).map((one) => (
        <p class="quiet">
          {w.codes.discountNote({
            link: <a href={DISCOUNTS[one]}>{PROVIDER_NAMES[one]}</a>,
            isStripe: one === 'stripe',
          })}
        </p>
      ))}
      {products.length > 0 && (
        <Act name={w.codes.makeButton} isOpen={refused !== undefined}>
          <Form action={CODES} label={w.codes.makeButton}>
            <Select label={w.codes.opens} name="slug" options={products} value={typed.slug} />
            <Field label={w.codes.count} name="count" value={typed.count} {...WHOLE} required />
            <Field
              label={w.codes.uses}
              name="uses"
              value={typed.uses}
              hint={w.codes.usesHint}
              {...WHOLE}
              required
            />
            <Field
              label={w.codes.lastDay}
              name="until"
              type="date"
              value={typed.until}
              hint={w.codes.lastDayHint}
            />
            <Field label={w.codes.order} name="order" value={typed.order} hint={w.codes.orderHint} />
            <Field
              label={w.codes.note}
              name="note"
              value={typed.note}
              maxLength={LONGEST_CODE_NOTE}
              hint={w.codes.noteHint}
            />
            <Button>{w.codes.makeButton}</Button>
          </Form>
        </Act>
      )}
      <DataTable
        caption={w.codes.caption}
        columns={{
          [w.common.code]: ({ prefix }) => <code>{prefix}…</code>,
          [w.codes.opens]: ({ name }) => products.find(([slug]) => slug === name)?.[1] ?? name,
          [w.codes.used]: ({ used, uses }) => w.codes.usedOf({ used, uses }),
          [w.common.state]: (code) => w.codes.states[stateOfCode(code, now)],
          [w.codes.lastDay]: ({ until }) => (until === null ? '–' : <When at={until - 1} />),
          [w.codes.note]: ({ note }) => note,
          '': (code) =>
            stateOfCode(code, now) === 'open' && (
              <QuietLink href={`${CODES}/${code.id}/revoke`}>{w.common.revoke}</QuietLink>
            ),
        }}
        rows={codes}
        empty={
          products.length === 0 ? (
            <Empty action={<QuietLink href={ITEMS}>{w.common.items}</QuietLink>}>{w.codes.noItems}</Empty>
          ) : (
            <Empty>{w.codes.noCodes}</Empty>
          )
        }
      />
    </>,
  );
}

const WHOLE = { type: 'number', inputmode: 'numeric' } as const;

/** Shows the codes that were just made, to print and cut. No other page can show them, since they are not stored. */
function sendCodeSheet(http: Http, owner: SessionPrincipal, { codes, items, until }: CreatedCodes): Response {
  const w = officeOf(http, owner);
  const { origin, manifest } = http.viewOf(owner);
  return sendAdminPage(
    http,
    owner,
    {
      current: CODES,
      title: w.codes.madeTitle({ codes: w.counts.codes({ count: codes.length }) }),
      lead: w.codes.madeLead,
      actions: <QuietLink href={CODES}>{w.codes.back}</QuietLink>,
    },
    <ul class="code-sheet">
      {codes.map((code) => (
        <li>
          <p>
            {w.codes.place({
              itemTitles: <ItemTitles stall={http.stall} items={items} />,
              name: manifest.name,
            })}
          </p>
          <CopyLine text={code} label={w.codes.enter({ origin })} />
          {until !== null && <p class="quiet">{w.codes.until({ when: <When at={until - 1} /> })}</p>}
        </li>
      ))}
    </ul>,
  );
}

type CodeForm = Readonly<Record<'slug' | 'count' | 'uses' | 'until' | 'order' | 'note', string>>;

const EMPTY_CODE_FORM: CodeForm = { slug: '', count: '1', uses: '1', until: '', order: '', note: '' };

function endOf(day: string): string {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(start)) return new Date(start + DAY).toISOString();
  throw new OfficeRefusal('invalid-request', (r) => r.notADay({ value: day.slice(0, 40) }));
}

function readNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new OfficeRefusal('invalid-request', (r) => r.notANumber({ value: text.slice(0, 40), name }));
}

export const CODE_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...inOffice(CODES),
    path: `${CODES}/:id/revoke`,
    find: ({ http, params: { id = '' } }) => {
      const row = readRowId(id);
      if (row !== null) return findCode(http.stall, row);
      throw new OfficeRefusal('not-found', (r) => r.noCode);
    },
    title: ({ prefix, name }, words) => officeIn(words).codes.revokeTitle({ prefix, name }),
    stops: (_, words) => officeIn(words).codes.revokeLead,
    button: (words) => officeIn(words).codes.revokeButton,
    act: ({ id }, { http, who }) => revokeCode(http.stall, who, id),
    back: () => CODES,
    said: 'code-revoked',
  }),
];
