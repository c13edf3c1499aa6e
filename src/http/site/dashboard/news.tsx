import { Elysia } from 'elysia';
import { wantNews } from '../../../service/mails.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { withFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Checkbox } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';

/** `POST /dashboard/account/news`: whether new versions of what the account holds are mailed. */
export function newsChoice({ stall, identity }: RouteDeps) {
  return new Elysia().use(identity).post(
    '/dashboard/account/news',
    async ({ request, member }) => {
      const isWanted = (await readForm(request)).text('news') !== '';
      await wantNews(stall, member.accountId, isWanted);
      return redirect(withFlash('/dashboard/account', isWanted ? 'news-begun' : 'news-ended'));
    },
    { memberGuard: true, parse: 'none' },
  );
}

/** The form for it on the account's page. */
export function NewsForm({ isWanted }: { readonly isWanted: boolean }) {
  return (
    <section>
      <h2>News</h2>
      <Form action="/dashboard/account/news" label="News">
        <Checkbox
          label="Mail me what is new in the items I hold, at most once a day"
          name="news"
          checked={isWanted}
        />
        <Button kind="quiet">Save</Button>
      </Form>
    </section>
  );
}
