import { Elysia } from 'elysia';
import { Refusal } from '../../../refusal.ts';
import { readTerm } from '../../../service/account/keys.ts';
import { readForm } from '../../form.ts';
import { redirect } from '../../origin.ts';
import { attempt } from '../frame/handle-form.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import type { FormTokens } from './form-token.ts';
import { KEYS, showKeys } from './key-list.tsx';
import { sendNewKey } from './new-key.tsx';

/** `POST /dashboard/api-keys/create`: a key, shown in the answer; the same form sent again makes none. */
export function keyCreate(desk: SiteDesk, tokens: FormTokens) {
  const { service, identity, viewOf } = desk;
  return new Elysia()
    .use(identity)
    .get(`${KEYS}/create`, () => redirect(KEYS), { memberDoor: true })
    .post(
      `${KEYS}/create`,
      async ({ request, member }) => {
        const form = await readForm(request);
        const typed = { name: form.text('name'), expires: form.text('expires') };
        return attempt(
          async () => {
            const term = readTerm(typed.expires);
            refuseSentBefore(tokens.take(member.sessionId, form.text('once')));
            return sendNewKey(
              viewOf(member),
              await service.office.keys.createFor(member.accountId, typed.name, term),
            );
          },
          (refused) => showKeys(desk, tokens, null, member, typed, refused),
        );
      },
      { memberDoor: true, parse: 'none' },
    );
}

/** Refuses a form whose token was taken before, or is not known any more. */
export function refuseSentBefore(isFirst: boolean): void {
  if (isFirst) return;
  throw new Refusal(
    'invalid-request',
    'Cannot take this form twice: it was sent before, and nothing was made now; if the key in the list is not the one you copied, revoke it and send the form again',
  );
}
