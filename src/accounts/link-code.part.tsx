import type { ComponentChildren } from 'preact';
import { Field } from '../platform/site/form.tsx';
import { useWords } from '../platform/site/words.tsx';

type LinkCodeProps = { readonly value: string; readonly children?: ComponentChildren };

/**
 * The field for a one-time link's secret, below `children`. A script fills it from the address and hides both; without the
 * script the reader pastes the secret.
 */
export function LinkCode({ value, children }: LinkCodeProps) {
  const { links } = useWords().account;
  return (
    <div class="stack" data-fragment="code">
      {children}
      <Field label={links.code} name="code" value={value} hint={links.codeHint} autocomplete="off" required />
    </div>
  );
}

export const readLinkCode = (text: string): string => text.trim().replace(/^.*#/, '');
