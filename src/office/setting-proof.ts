import { prove } from '../accounts/second-step.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Form } from '../platform/http/body.ts';
import { refusedBeside } from '../platform/site/field-refusal.ts';
import type { Http } from './stall.ts';

/** The password and code in a form, and the network address that sent it. */
export const proofIn = ({ budgets }: Http, request: Request, form: Form) => ({
  password: form.text('password'),
  code: form.text('code').trim(),
  address: budgets.addressOf(request).key,
});

/** Checks the password or code of a form that changes a secret, if the session needs one. Refuses beside the field `proof`. */
export const proveWith = (http: Http, request: Request, owner: SessionPrincipal, form: Form): Promise<void> =>
  refusedBeside('proof', () => prove(http.stall, owner, proofIn(http, request, form)));
