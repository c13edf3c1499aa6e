import { prove } from '../accounts/second-step.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Form } from '../platform/http/body.ts';
import { refusedBeside } from '../platform/site/field-refusal.ts';
import type { Http } from './stall.ts';

/** Checks the password or code of a form that changes a secret, if the session needs one; refuses it beside the field `proof`. */
export const proveWith = (http: Http, request: Request, owner: SessionPrincipal, form: Form): Promise<void> =>
  refusedBeside('proof', () =>
    prove(http.stall, owner, {
      password: form.text('password'),
      code: form.text('code').trim(),
      address: http.budgets.addressOf(request).key,
    }),
  );
