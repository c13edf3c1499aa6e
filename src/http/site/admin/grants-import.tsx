import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm, type Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { TextArea } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { readFlash, withFlash } from '../frame/flash-message.ts';

const IMPORT = '/admin/grants/import';

/** The largest file that is read, in bytes as a form encodes them. The server itself reads a little more, so that this page can refuse. */
const MOST = 1000 * 1024;

/** `/admin/grants/import`: imports grants from CSV, all of them or none. */
export function grantsImport(deps: RouteDeps) {
  const { service, identity } = deps;
  return new Elysia()
    .use(identity)
    .get(IMPORT, ({ query, owner }) => show(deps, owner, '', { said: readFlash(query), refused: null }), {
      ownerGuard: true,
    })
    .post(
      IMPORT,
      async ({ request, owner }) => {
        const csv = (await readForm(request, MOST)).text('csv');
        return handleForm(
          async () => {
            await service.admin(owner).grants.import(csv);
            return redirect(withFlash(IMPORT, 'imported'));
          },
          (refused) => show(deps, owner, csv, { said: null, refused }),
        );
      },
      { ownerGuard: true, parse: 'none' },
    );
}

function show(
  deps: RouteDeps,
  owner: SessionPrincipal,
  csv: string,
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
            The accounts must exist. Dates are written as 2026-11-20. Importing a line again changes the dates
            of its grant.
          </>
        }
      />
      <Button>Import grants</Button>
    </Form>,
  );
}
