import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { createCodes, listCodes, stateOfCode } from '../../../service/codes.ts';
import type { StoredCode } from '../../../store/tables/codes.ts';
import { readForm } from '../../form.ts';
import { readFlash } from '../frame/flash-message.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { type CodeForm, EMPTY_CODE_FORM, readCodeForm, readCodeRequest } from './code-form.ts';
import { sendCodeSheet } from './code-sheet.tsx';

export const CODES = '/admin/codes';

/** `/admin/codes`: the codes that open an item, and the form that makes them, whose answer alone shows them. */
export function codeList(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(CODES, ({ query, owner }) => show(deps, owner, { said: readFlash(query) }), { ownerGuard: true })
    .post(
      CODES,
      async ({ request, owner }) => {
        const typed = readCodeForm(await readForm(request));
        return handleForm(
          async () => {
            const wanted = readCodeRequest(typed, stall.catalog().bundles);
            return sendCodeSheet(deps, owner, await createCodes(stall, owner, wanted));
          },
          (refused) => show(deps, owner, { typed, refused }),
        );
      },
      { ownerGuard: true, parse: 'none' },
    );
}

type ListState = { readonly said?: string | null; readonly refused?: Refused; readonly typed?: CodeForm };

async function show(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { said = null, refused, typed = EMPTY_CODE_FORM }: ListState,
): Promise<Response> {
  const { stall } = deps;
  const codes = await listCodes(stall);
  const { editions, bundles } = stall.catalog();
  const products = [
    ...bundles.map(({ slug, title }) => ({ value: slug, label: `${title} (bundle)` })),
    ...editions
      .filter(({ manifest }) => manifest.status !== 'draft' && manifest.unitAmountCents !== 0)
      .map(({ manifest: { slug, title } }) => ({ value: slug, label: title })),
  ];
  return sendAdminPage(
    deps,
    owner,
    {
      current: CODES,
      title: 'Codes',
      lead: 'A code opens an item or a bundle to anyone who enters it at /redeem: for presents, workshops and reviewers.',
      said,
      refused: refused ?? null,
    },
    <>
      <DataTable
        caption="Codes, newest first; the codes themselves are not stored"
        columns={['Code', 'Opens', 'Used', 'State', 'Last day', 'Note', '']}
        rows={codes.map((code) => ({ key: String(code.id), cells: cellsOf(code, stall.now()) }))}
        empty={<Empty>No codes yet. Make some below.</Empty>}
      />
      <section>
        <h2>Make codes</h2>
        {products.length === 0 ? (
          <p>No paid item is published yet.</p>
        ) : (
          <NewCodes typed={typed} products={products} />
        )}
      </section>
    </>,
  );
}

function NewCodes({
  typed,
  products,
}: {
  readonly typed: CodeForm;
  readonly products: readonly { readonly value: string; readonly label: string }[];
}) {
  return (
    <Form action={CODES} label="Make codes">
      <Select label="Opens" name="slug" options={products} value={typed.slug} />
      <Field label="Codes" name="count" type="number" value={typed.count} inputmode="numeric" required />
      <Field
        label="Uses of each"
        name="uses"
        type="number"
        value={typed.uses}
        hint="Accounts that may enter the same code"
        inputmode="numeric"
        required
      />
      <Field label="Last day" name="until" type="date" value={typed.until} hint="Empty is for good" />
      <Field
        label="Order"
        name="order"
        type="number"
        value={typed.order}
        hint="The number of the order that paid for them, if any: its refund takes them back"
        inputmode="numeric"
      />
      <Field label="Note" name="note" value={typed.note} maxLength={200} hint="For you alone" />
      <Button>Make codes</Button>
    </Form>
  );
}

function cellsOf(code: StoredCode, now: number) {
  const { id, prefix, name, used, uses, until, note } = code;
  const state = stateOfCode(code, now);
  return [
    <code>{prefix}…</code>,
    name,
    `${used} of ${uses}`,
    state,
    until === null ? '–' : <When at={until - 1} />,
    note,
    state !== 'open' ? null : (
      <ButtonLink href={`${CODES}/${id}/revoke`} kind="danger">
        Revoke…
      </ButtonLink>
    ),
  ];
}
