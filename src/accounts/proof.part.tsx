import { Field, ONE_TIME_CODE } from '../platform/site/form.tsx';
import { type Proof, SIGNED_IN_LONG_AGO } from './second-step.ts';

/** The field for what a session has to send before it changes a secret; nothing in its first minutes. */
export function ProofField({ proof, error = null }: { proof: Proof; error?: string | null }) {
  if (proof === null) return null;
  if (proof === 'sign-in')
    return <p class="hint">{SIGNED_IN_LONG_AGO}: sign out at your proxy, and in again.</p>;
  if (proof === 'code')
    return <Field label="Code" name="code" hint="Of your second step" error={error} {...ONE_TIME_CODE} />;
  return (
    <Field
      label="Your password"
      name="password"
      type="password"
      autocomplete="current-password"
      hint={SIGNED_IN_LONG_AGO}
      error={error}
      required
    />
  );
}
