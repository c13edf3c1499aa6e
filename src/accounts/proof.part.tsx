import type { ComponentChildren } from 'preact';
import { ButtonLink, Field, type FieldFault, ONE_TIME_CODE } from '../platform/site/form.tsx';
import { useWords, useOffice } from '../platform/site/words.tsx';
import type { readerProof } from './reader-proof.ts';
import type { Proof } from './second-step.ts';

/**
 * The field for the password or code that a session must send before it changes a secret; nothing for 15 minutes after the
 * sign-in or the last proof.
 */
export function ProofField({ proof, error = null }: { proof: Proof; error?: FieldFault }) {
  const w = useOffice();
  if (proof === null) return null;
  if (proof === 'sign-in') return <p class="hint">{w.proof.proxyHint}</p>;
  if (proof === 'code')
    return (
      <Field
        label={w.common.code}
        name="code"
        hint={w.proof.secondStepHint}
        error={error}
        {...ONE_TIME_CODE}
      />
    );
  return (
    <Field
      label={w.proof.password}
      name="password"
      type="password"
      autocomplete="current-password"
      hint={w.proof.passwordHint}
      error={error}
      required
    />
  );
}

type ProvenProps = {
  readonly proof: ReturnType<typeof readerProof>;
  /** The page's own path, to which the sign-in leads back. */
  readonly page: string;
  readonly children: ComponentChildren;
};

/** Shows a form to readers who have proven that the account is theirs, and to others a link to sign in. */
export function Proven({ proof, page, children }: ProvenProps) {
  const { account, library } = useWords();
  if (proof !== 'sign-in') return <>{children}</>;
  return (
    <section class="stack">
      <p>{library.account.signInFirst}</p>
      <ButtonLink href={`/sign-in/mail?next=${page}`}>{account.signIn.mailLink}</ButtonLink>
    </section>
  );
}
