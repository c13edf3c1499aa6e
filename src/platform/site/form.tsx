import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { useOffice, useWords } from './words.tsx';
import type { Refusal, RefusalKind } from '../base/refusal.ts';
import { formatBytes } from '../base/text.ts';
import { foreignIn, OfficeRefusal, sentenceOf } from '../base/told.ts';

type Kind = 'primary' | 'quiet' | 'danger';

type FormProps = {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly confirm?: string;
  readonly method?: 'post' | 'get';
  readonly label?: string;
};

/**
 * A form that is sent to a path of the stall. `confirm` is a sentence about the consequences, which the script asks the user to
 * confirm; without the script, the sentence stands in the form. `label` names the form if the page has several.
 */
export const Form = ({ action, children, confirm, method = 'post', label }: FormProps) => (
  <form action={action} method={method} aria-label={label} data-confirm={confirm}>
    {confirm !== undefined && <p class="confirm">{confirm}</p>}
    {children}
  </form>
);

type ButtonProps = {
  readonly kind?: Kind;
  readonly name?: string;
  readonly value?: string;
  /** The path to which this button sends the form instead; required fields may then be empty. */
  readonly to?: string;
  readonly children: ComponentChildren;
};

export const Button = ({ kind = 'primary', name, value, to, children }: ButtonProps) => (
  <button
    type="submit"
    class={`button ${kind}`}
    name={name}
    value={value}
    formAction={to}
    formNoValidate={to !== undefined}
  >
    {children}
  </button>
);

type LinkProps = { readonly href: string; readonly children: ComponentChildren };

export const ButtonLink = ({ href, kind = 'primary', children }: LinkProps & { readonly kind?: Kind }) => (
  <a class={`button ${kind}`} href={href}>
    {children}
  </a>
);

export const QuietLink = (link: LinkProps) => <ButtonLink {...link} kind="quiet" />;

/** A link to a page that asks for confirmation before something is taken away. */
export const DangerLink = (link: LinkProps) => <ButtonLink {...link} kind="danger" />;

export const ActButton = ({ action, children }: { action: string; children: ComponentChildren }) => (
  <Form action={action}>
    <Button kind="quiet">{children}</Button>
  </Form>
);

type ActProps = { readonly name: string; readonly isOpen: boolean; readonly children: ComponentChildren };

export const Act = ({ name, isOpen, children }: ActProps) => (
  <details class="act" open={isOpen}>
    <summary class="button primary">{name}</summary>
    {children}
  </details>
);

/**
 * The page's rare actions, and those that take something away, collapsed at its end. A sentence beside each says what it does.
 */
export function More({ acts }: { acts: readonly (readonly [act: ComponentChildren, words: string])[] }) {
  const { frame } = useWords();
  if (acts.length === 0) return null;
  return (
    <details class="more">
      <summary>{frame.more}</summary>
      <ul>
        {acts.map(([act, words]) => (
          <li>
            {act}
            <p>{words}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Why a field was refused: a sentence, or a refusal that has one; null if it was not. */
export type FieldFault = string | Refusal | null;

type Label = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly error?: FieldFault;
};

type InputAttribute =
  | 'type'
  | 'required'
  | 'autocomplete'
  | 'minLength'
  | 'maxLength'
  | 'autofocus'
  | 'inputmode'
  | 'placeholder'
  | 'accept';

type InputProps = Label & Pick<JSX.IntrinsicElements['input'], InputAttribute> & { readonly value?: string };

export type Options = readonly (readonly [value: string, label: string])[];

/**
 * A text field with its label, hint and error, which screen readers read together. A password field has a button that shows the
 * password, if the script runs.
 */
export function Field({ label, name, hint, error, type = 'text', value = '', ...rest }: InputProps) {
  const { frame, browser } = useWords();
  // Preact derives an input's attributes from the literal value of its type, which is not known here.
  const known = type as 'text';
  return (
    <Labelled label={label} hint={hint} error={error}>
      {(tied) => {
        const input = <input {...rest} {...tied} name={name} type={known} value={value} />;
        if (type !== 'password') return input;
        return (
          <div class="with-button">
            {input}
            <button
              type="button"
              class="button quiet script-only"
              data-show
              aria-label={frame.showField({ label })}
            >
              {browser.show}
            </button>
          </div>
        );
      }}
    </Labelled>
  );
}

type TextAreaProps = Label & { value: string; rows?: number; isFixed?: boolean };

export function TextArea({ name, value, rows = 6, isFixed = false, ...label }: TextAreaProps) {
  return (
    <Labelled {...label}>
      {(tied) => (
        <textarea {...tied} name={name} rows={rows} readOnly={isFixed}>
          {/* HTML parsers drop the first line break of a textarea. This one is added, so that none of the text is lost. */}
          {`\n${value}`}
        </textarea>
      )}
    </Labelled>
  );
}

type SelectProps = Label & { options: Options; value?: string; any?: string };

/**
 * A choice of one option. `any` is the label of an empty choice; with it, a value that is not an option is added to the
 * options.
 */
export function Select({ name, options, value = '', any, ...label }: SelectProps) {
  const isKnown = any === undefined || value === '' || options.some(([one]) => one === value);
  const all = [...(any === undefined ? [] : [['', any] as const]), ...options];
  return (
    <Labelled {...label}>
      {(tied) => (
        <select {...tied} name={name}>
          {(isKnown ? all : [...all, [value, value] as const]).map(([one, label]) => (
            <option value={one} selected={one === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

export const Checkbox = ({ label, name, checked }: { label: string; name: string; checked: boolean }) => (
  <label class="checkbox">
    <input type="checkbox" name={name} value="on" checked={checked} />
    <span>{label}</span>
  </label>
);

type Tied = {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: 'true';
  readonly autofocus?: true;
};

type LabelledProps = Omit<Label, 'name'> & { children: (tied: Tied) => ComponentChildren };

function Labelled({ label, hint, error, children }: LabelledProps) {
  const id = useId();
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error ? [`${id}-error`] : [])];
  const described = ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ ...described, ...(error ? { 'aria-invalid': 'true', autofocus: true } : {}), id })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Fault error={error} id={`${id}-error`} />
    </div>
  );
}

export function Fault({
  error = null,
  id,
}: {
  readonly error?: FieldFault | undefined;
  readonly id?: string;
}) {
  const words = useWords();
  if (error === null) return null;
  return (
    <p class="error" id={id} lang={typeof error === 'string' ? undefined : foreignIn(error, words)}>
      {typeof error === 'string' ? error : sentenceOf(error, words)}
    </p>
  );
}

type Choice = { readonly href: string; readonly name: string; readonly isChosen: boolean };

type ChoicesProps = {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly current?: 'page' | 'true';
};

export const Choices = ({ label, choices, current = 'true' }: ChoicesProps) => (
  <nav class="choices" aria-label={label}>
    {choices.map(({ href, name, isChosen }) => (
      <a href={href} aria-current={isChosen ? current : undefined}>
        {name}
      </a>
    ))}
  </nav>
);

export const ONE_TIME_CODE = { autocomplete: 'one-time-code', required: true } as const;

export const EmailField = (props: Partial<InputProps>) => (
  <Field
    label={useWords().frame.email}
    name="email"
    type="email"
    autocomplete="username"
    required
    {...props}
  />
);

export const CurrentPassword = (props: InputProps) => (
  <Field type="password" autocomplete="current-password" required {...props} />
);

/** A hidden field with the account's e-mail address, under which password managers save the password. */
export const Username = ({ email }: { email: string }) => (
  <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
);

/** A single line to copy. If the script runs, a button copies it. */
export function CopyLine({ text, label }: { text: string; label?: string }) {
  const { frame, browser } = useWords();
  return (
    <figure class="copy-line">
      {label !== undefined && <figcaption>{label}</figcaption>}
      <code>{text}</code>
      <button
        type="button"
        class="button quiet script-only"
        data-copy
        aria-label={label && frame.copyLine({ label })}
      >
        {browser.copy}
      </button>
    </figure>
  );
}

export const tooLargeFile = (kind: RefusalKind, most: number): OfficeRefusal =>
  new OfficeRefusal(kind, (r) => r.fileTooLarge({ size: formatBytes(most) }));

type FileProps = Partial<InputProps> & { readonly most: number; readonly isSent?: boolean };

/**
 * A field for a file of at most `most` bytes; the page's script refuses a larger one before it is sent. `isSent`: the form was
 * refused, and asks for the file again, since no browser keeps it.
 */
export function FileField({ most, isSent = false, ...field }: FileProps) {
  const w = useOffice();
  return (
    <Field
      label={w.common.file}
      name="file"
      type="file"
      {...field}
      {...{
        'data-most': most,
        'data-too-large': `${w.refusals.fileTooLarge({ size: formatBytes(most, w.formats.number) })}.`,
      }}
      {...(isSent && { hint: [field.hint, field.hint && '. ', w.common.fileAgain] })}
    />
  );
}
