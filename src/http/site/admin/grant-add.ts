import { Elysia } from 'elysia';
import { findAccountById } from '../../../service/accounts.ts';
import { addGrant } from '../../../service/grants.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { TypedGrant } from './account-grants.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { showAccount } from './account-page.tsx';
import { withFlash } from '../frame/flash-message.ts';

/** `POST /admin/accounts/:id/grants/add`: grants an item, or changes the dates of an earlier grant. */
export function grantAdd(deps: RouteDeps) {
  const { stall, identity } = deps;
  return new Elysia().use(identity).post(
    `${ACCOUNTS}/:id/grants/add`,
    async ({ request, params, owner }) => {
      const { id, email } = await findAccountById(stall, params.id);
      const typed = await readGrant(request);
      return handleForm(
        async () => {
          await addGrant(stall, owner, {
            email,
            slug: typed.slug,
            from: typed.from || undefined,
            // An empty field means no end, also for a grant that had one.
            until: typed.until || 'never',
            source: typed.source || undefined,
          });
          return redirect(withFlash(`${ACCOUNTS}/${id}`, 'granted'));
        },
        (refused) => showAccount(deps, owner, id, { refused, typed }),
      );
    },
    { ownerGuard: true, parse: 'none' },
  );
}

async function readGrant(request: Request): Promise<TypedGrant> {
  const form = await readForm(request);
  const text = (name: string): string => form.text(name).trim();
  return { slug: text('slug'), from: text('from'), until: text('until'), source: text('source') };
}
