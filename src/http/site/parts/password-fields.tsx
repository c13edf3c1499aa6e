import { Refusal } from '../../../refusal.ts';
import type { Form } from '../../body.ts';
import { Field } from './field.tsx';

/** The two fields in which a new password is typed. */
export function PasswordFields() {
  return (
    <>
      <Field
        label="Password"
        name="password"
        type="password"
        hint="At least 8 characters. A sentence is easy to remember and hard to guess"
        autocomplete="new-password"
        minLength={8}
        maxLength={256}
        required
      />
      <Field
        label="Repeat the password"
        name="again"
        type="password"
        autocomplete="new-password"
        minLength={8}
        maxLength={256}
        required
      />
    </>
  );
}

/** The password of both fields; refuses two that differ. */
export function readNewPassword(form: Form): string {
  const password = form.text('password');
  if (password === form.text('again')) return password;
  throw new Refusal(
    'invalid-request',
    'Cannot set the password: the two fields differ; type the same password in both',
  );
}
