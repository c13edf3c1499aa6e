import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { importGrants } from '../../../service/grants.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Checkbox, TextArea } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { sendImportedLinks } from './imported-links.tsx';
import { readFlash, withFlash } from '../frame/flash-message.ts';

const IMPORT = '/admin/grants/import';

type TypedImport = { readonly csv: string; readonly makesAccounts: boolean };

const BLANK: TypedImport = { csv: '', makesAccounts: false };

/** The largest file that is read, in bytes as a form encodes them. The server itself reads a little more, so that this page can refuse. */
const MOST = 1000 * 1024;

/** `/admin/grants/import`: imports grants from CSV, all of them or none. */
export function grantsImport(deps: RouteDeps) {
  const { stall, identity, viewOf } = deps;
  return new Elysia()
    .use(identity)
    .get(IMPORT, ({ query, owner }) => show(deps, owner, BLANK, { said: readFlash(query), refused: null }), {
      ownerGuard: true,
    })
    .post(
      IMPORT,
      async ({ request, owner }) => {
        const form = await readForm(request, MOST);
        const typed = { csv: form.text('csv'), makesAccounts: form.text('accounts') === 'on' };
        return handleForm(
          async () => {
            const origin = typed.makesAccounts ? viewOf(owner).origin : null;
            const { added, links } = await importGrants(stall, owner, typed.csv, origin);
            return links.length === 0
              ? redirect(withFlash(IMPORT, 'imported'))
              : sendImportedLinks(deps, owner, added, links);
          },
          (refused) => show(deps, owner, typed, { said: null, refused }),
        );
      },
      { ownerGuard: true, parse: 'none' },
    );
}

function show(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { csv, makesAccounts }: TypedImport,
  outcome: { readonly said: string | null; readonly refused: Refused | null },
): Response {
  return sendAdminPage(
    deps,
    owner,
    {
      current: IMPORT,
      title: 'Import grants',
      lead: 'Paste a shop’s list of sales as CSV. Either all of its lines are imported, or none.',
      ...outcome,
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
