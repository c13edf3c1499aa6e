import { Field } from './field.tsx';

/** The field for a one-time link's secret: the script fills it from the address and hides it, and without the script it is pasted. */
export function LinkCode({ value }: { readonly value: string }) {
  return (
    <div data-fragment="code">
      <Field
        label="Code from the link"
        name="code"
        value={value}
        hint="The part after # in the address you were given"
        autocomplete="off"
        required
      />
    </div>
  );
}

/** The secret of a pasted code, or of the whole link. */
export function readLinkCode(text: string): string {
  return text.trim().replace(/^.*#/, '');
}
