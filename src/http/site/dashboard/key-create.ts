import { Elysia } from 'elysia';
import { createKey, readTerm } from '../../../service/keys.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { handleForm } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { showKeys } from './key-list.tsx';
import { KEYS, refuseSentBefore } from './key-parts.tsx';
import { sendNewKey } from './new-key.tsx';

/** `POST /dashboard/api-keys/create`: creates a key and shows it in the answer; the same form sent again creates none. */
export function keyCreate(deps: RouteDeps) {
  const { stall, identity, viewOf } = deps;
  return new Elysia()
    .use(identity)
    .get(`${KEYS}/create`, () => redirect(KEYS), { memberGuard: true })
    .post(
      `${KEYS}/create`,
      async ({ request, member }) => {
        const form = await readForm(request);
        const typed = { name: form.text('name'), expires: form.text('expires') };
        return handleForm(
          async () => {
            const term = readTerm(typed.expires);
            refuseSentBefore(deps.tokens.take(member.sessionId, form.text('once')));
            return sendNewKey(viewOf(member), await createKey(stall, 'itself', member, typed.name, term));
          },
          (refused) => showKeys(deps, null, member, typed, refused),
        );
      },
      { memberGuard: true, parse: 'none' },
    );
}
