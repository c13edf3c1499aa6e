import { Elysia } from 'elysia';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Checkbox } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';

/** `POST /dashboard/account/reading`: whether the stall remembers where the account read. */
export function readingPlaces({ stall, identity }: RouteDeps) {
  return new Elysia().use(identity).post(
    '/dashboard/account/reading',
    async ({ request, member }) => {
      const isKept = (await readForm(request)).text('keep') !== '';
      await stall.readingPlaces.keep(member.accountId, isKept);
      return redirect(withFlash('/dashboard/account', isKept ? 'places-kept' : 'places-forgotten'));
    },
    { memberGuard: true, parse: 'none' },
  );
}

/** The form for it on the account's page. */
export function ReadingPlacesForm({ isKept }: { readonly isKept: boolean }) {
  return (
    <section>
      <h2>Reading</h2>
      <Form action="/dashboard/account/reading" label="Reading">
        <Checkbox label="Remember the chapter I read last in each item I own" name="keep" checked={isKept} />
        <Button kind="quiet">Save</Button>
      </Form>
    </section>
  );
}
