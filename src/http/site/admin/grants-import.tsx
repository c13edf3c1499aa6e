import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { attempt, type Refused } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { TextArea } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { sendRoom } from './admin-page.tsx';
import { saidBy, saying } from '../frame/flash-message.ts';

const IMPORT = '/admin/grants/import';

/** The largest file that is taken, in bytes as a form spells them: below what the server reads at all, so that the page can say so. */
const MOST = 1000 * 1024;

/** `/admin/grants/import`: grants from CSV, all of them or none. */
export function grantsImport(desk: SiteDesk) {
  const { service, identity } = desk;
  return new Elysia()
    .use(identity)
    .get(IMPORT, ({ query, owner }) => show(desk, owner, '', { said: saidBy(query), refused: null }), {
      ownerDoor: true,
    })
    .post(
      IMPORT,
      async ({ request, owner }) => {
        const csv = (await readForm(request, MOST)).text('csv');
        return attempt(
          async () => {
            const added = await service.office.grants.import(csv);
            await service.audit.note(owner, 'grants.import', 'grants', { added });
            return redirect(saying(IMPORT, 'imported'));
          },
          (refused) => show(desk, owner, csv, { said: null, refused }),
        );
      },
      { ownerDoor: true, parse: 'none' },
    );
}

function show(
  desk: SiteDesk,
  owner: SessionPrincipal,
  csv: string,
  outcome: { readonly said: string | null; readonly refused: Refused | null },
): Response {
  return sendRoom(
    desk,
    owner,
    {
      room: IMPORT,
      title: 'Import grants',
      lead: 'From a shop’s list of sales, pasted as CSV. All of its lines are taken, or none.',
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
            The first line reads <code>email,slug,from,until,source</code>, the last three optional. The
            accounts must be there; dates are written as 2026-11-20. A line again changes the dates of its
            grant.
          </>
        }
      />
      <Button>Import the grants</Button>
    </Form>,
  );
}
