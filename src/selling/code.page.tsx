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
import { Refusal } from '../platform/base/refusal.ts';
import { counted, readRowId } from '../platform/base/text.ts';
import { type ActRoutes, actRoutes } from '../platform/site/act.tsx';
import { takesSales } from '../platform/config/sales.ts';
import { ITEMS } from '../platform/site/paths.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { ItemTitles } from '../accounts/item-titles.part.tsx';

const CODES = '/admin/codes';

/** Where the owner makes codes that take something off the price. */
const DISCOUNTS: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'https://dashboard.stripe.com/coupons',
  polar: 'https://polar.sh/dashboard',
  lemonsqueezy: 'https://app.lemonsqueezy.com/discounts',
  gumroad: 'https://gumroad.com/checkout/discounts',
};

/** `POST /admin/codes`: makes codes that open an item. Only the answer shows them. */
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
  const { stall } = http;
  const codes = listCodes(stall);
  const now = stall.now();
  const { editions, bundles } = stall.catalog();
  const products = [
    ...bundles.map(({ slug, title }) => [slug, `${title} (bundle)`] as const),
    ...editions
      .filter(({ manifest }) => manifest.status !== 'draft' && !isFree(manifest))
      .map(({ manifest: { slug, title } }) => [slug, title] as const),
  ];
  return sendAdminPage(
    http,
    owner,
    {
      current: CODES,
      title: 'Codes',
      lead: 'A code opens an item or a bundle to anyone who enters it at /redeem: for presents, workshops and reviewers.',
      said,
      refused,
    },
    <>
      {PAYMENT_PROVIDERS.filter((one) => takesSales(stall.config.sales, one)).map((one) => (
        <p class="quiet">
          A code that takes percent off is made at <a href={DISCOUNTS[one]}>{PROVIDER_NAMES[one]}</a>, whose
          checkout asks for it{one === 'stripe' && ' once its payment link allows promotion codes'}.
        </p>
      ))}
      {products.length > 0 && (
        <Act name="Make codes" isOpen={refused !== undefined}>
          <Form action={CODES} label="Make codes">
            <Select label="Opens" name="slug" options={products} value={typed.slug} />
            <Field label="Codes" name="count" value={typed.count} {...WHOLE} required />
            <Field
              label="Uses of each"
              name="uses"
              value={typed.uses}
              hint="Accounts that may enter the same code"
              {...WHOLE}
              required
            />
            <Field label="Last day" name="until" type="date" value={typed.until} hint="Empty is for good" />
            <Field
              label="Order"
              name="order"
              value={typed.order}
              hint="The order that paid for them, if any, by its reference, such as 7KQ2M-X4TRD: its refund takes them back"
            />
            <Field
              label="Note"
              name="note"
              value={typed.note}
              maxLength={LONGEST_CODE_NOTE}
              hint="For you alone"
            />
            <Button>Make codes</Button>
          </Form>
        </Act>
      )}
      <DataTable
        caption="Codes, newest first; the codes themselves are not stored"
        columns={{
          Code: ({ prefix }) => <code>{prefix}…</code>,
          Opens: ({ name }) => products.find(([slug]) => slug === name)?.[1] ?? name,
          Used: ({ used, uses }) => `${used} of ${uses}`,
          State: (code) => stateOfCode(code, now),
          'Last day': ({ until }) => (until === null ? '–' : <When at={until - 1} />),
          Note: ({ note }) => note,
          '': (code) =>
            stateOfCode(code, now) === 'open' && (
              <QuietLink href={`${CODES}/${code.id}/revoke`}>Revoke…</QuietLink>
            ),
        }}
        rows={codes}
        empty={
          products.length === 0 ? (
            <Empty action={<QuietLink href={ITEMS}>Items</QuietLink>}>
              No codes yet. A code opens a paid item, and none is published.
            </Empty>
          ) : (
            <Empty>No codes yet. “Make codes” makes some to give away or to sell elsewhere.</Empty>
          )
        }
      />
    </>,
  );
}

const WHOLE = { type: 'number', inputmode: 'numeric' } as const;

/** Shows the codes that were just made, to print and cut. No other page shows them, and the stall does not store them. */
function sendCodeSheet(http: Http, owner: SessionPrincipal, { codes, items, until }: CreatedCodes): Response {
  const { origin, manifest } = http.viewOf(owner);
  return sendAdminPage(
    http,
    owner,
    {
      current: CODES,
      title: `${counted(codes.length, 'code')} made`,
      lead: 'Save or print this page now: the codes are shown only once.',
      actions: <QuietLink href={CODES}>All codes</QuietLink>,
    },
    <ul class="code-sheet">
      {codes.map((code) => (
        <li>
          <p>
            <ItemTitles stall={http.stall} items={items} />, at {manifest.name}
          </p>
          <CopyLine text={code} label={`Enter it at ${origin}/redeem`} />
          {until !== null && (
            <p class="quiet">
              Until <When at={until - 1} />
            </p>
          )}
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
  throw Refusal.invalid(`Cannot read the last day "${day.slice(0, 40)}": write it as 2027-01-31`);
}

function readNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw Refusal.invalid(
    `Cannot read "${text.slice(0, 40)}" as the number of ${name}: give a whole number from 1`,
  );
}

export const CODE_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...inOffice(CODES),
    path: `${CODES}/:id/revoke`,
    find: ({ http, params: { id = '' } }) => {
      const row = readRowId(id);
      if (row !== null) return findCode(http.stall, row);
      throw Refusal.missing('Cannot find this code: open the list of codes');
    },
    title: ({ prefix, name }) => `Revoke the code ${prefix}… for ${name}?`,
    stops: () =>
      'Anyone who enters it from now on is told that it was withdrawn. What it opened before stays open.',
    button: 'Revoke code',
    act: ({ id }, { http, who }) => revokeCode(http.stall, who, id),
    back: () => CODES,
    said: 'code-revoked',
  }),
];
