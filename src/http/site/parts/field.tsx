import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Frame = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
};

type InputProps = Frame & {
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'url' | 'number' | 'date' | 'datetime-local';
  readonly value?: string;
  readonly required?: boolean;
  readonly autocomplete?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly autofocus?: boolean;
  readonly pattern?: string;
  readonly inputmode?: 'text' | 'numeric' | 'decimal' | 'email' | 'url' | 'search' | 'tel' | 'none';
};

type Option = { readonly value: string; readonly label: string };

/** A text field with its label, hint and error; hint and error are tied to it for screen readers. */
export function Field({ label, name, hint, error, type = 'text', value = '', ...rest }: InputProps) {
  const id = useId();
  // preact types the attributes of an input by its type, and cannot follow a type that is not known yet.
  const known = type as 'text';
  return (
    <Framed id={id} label={label} hint={hint} error={error}>
      <input {...rest} {...describedBy(id, hint, error)} id={id} name={name} type={known} value={value} />
    </Framed>
  );
}

/** A field for several lines of text; a fixed one is only for copying. */
export function TextArea({
  label,
  name,
  value,
  hint,
  error,
  rows = 6,
  isFixed = false,
}: Frame & { value: string; rows?: number; isFixed?: boolean }) {
  const id = useId();
  return (
    <Framed id={id} label={label} hint={hint} error={error}>
      <textarea {...describedBy(id, hint, error)} id={id} name={name} rows={rows} readOnly={isFixed}>
        {/* A parser drops the first line feed of a textarea: this one, not a typed one. */}
        {`\n${value}`}
      </textarea>
    </Framed>
  );
}

/** A choice of one option. */
export function Select({
  label,
  name,
  options,
  value,
  hint,
  error,
}: Frame & { options: readonly Option[]; value?: string }) {
  const id = useId();
  return (
    <Framed id={id} label={label} hint={hint} error={error}>
      <select {...describedBy(id, hint, error)} id={id} name={name}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Framed>
  );
}

/** A checkbox; unchecked, it sends nothing. */
export function Checkbox({
  label,
  name,
  checked = false,
  value = 'on',
}: {
  label: ComponentChildren;
  name: string;
  checked?: boolean;
  value?: string;
}) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value={value} checked={checked} />
      <span>{label}</span>
    </label>
  );
}

function Framed({
  id,
  label,
  hint,
  error,
  children,
}: Omit<Frame, 'name'> & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The attributes that tie a control to its hint and its error. */
function describedBy(id: string, hint: ComponentChildren, error: string | null | undefined) {
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error ? [`${id}-error`] : [])];
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error ? ('true' as const) : undefined,
  };
}
