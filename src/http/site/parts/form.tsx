import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../access/password.ts';
import { useWords } from './words.tsx';

type Kind = 'primary' | 'quiet' | 'danger';

type FormProps = {
  readonly action: string;
  readonly children: ComponentChildren;
  readonly confirm?: string;
  readonly method?: 'post' | 'get';
  readonly label?: string;
};

/**
 * A form that is sent to a path of the stall. `confirm` says in one sentence what will stop: the script asks
 * it before the form is sent; without the script the form shows it. `label` names the form on a page with
 * several.
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
  readonly children: ComponentChildren;
};

/** The submit button of a form. */
export const Button = ({ kind = 'primary', name, value, children }: ButtonProps) => (
  <button type="submit" class={`button ${kind}`} name={name} value={value}>
    {children}
  </button>
);

type LinkProps = { readonly href: string; readonly children: ComponentChildren };

/** A link that looks like a button. */
export const ButtonLink = ({ href, kind = 'primary', children }: LinkProps & { readonly kind?: Kind }) => (
  <a class={`button ${kind}`} href={href}>
    {children}
  </a>
);

/** A link that looks like a button, beside a weightier one. */
export const QuietLink = (link: LinkProps) => <ButtonLink {...link} kind="quiet" />;

/** A link to a page that asks before it takes something away. */
export const DangerLink = (link: LinkProps) => <ButtonLink {...link} kind="danger" />;

/** A button that acts at once, as a form of its own. */
export const ActButton = ({ action, children }: { action: string; children: ComponentChildren }) => (
  <Form action={action}>
    <Button kind="quiet">{children}</Button>
  </Form>
);

type ActProps = { readonly name: string; readonly isOpen: boolean; readonly children: ComponentChildren };

/** A form behind the page's primary button, which opens it. */
export const Act = ({ name, isOpen, children }: ActProps) => (
  <details class="act" open={isOpen}>
    <summary class="button primary">{name}</summary>
    {children}
  </details>
);

/**
 * The rarer acts of a page and the acts that take something away, folded below all else, each with its
 * effect.
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

type Frame = {
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly error?: string | null;
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

type InputProps = Frame & Pick<JSX.IntrinsicElements['input'], InputAttribute> & { readonly value?: string };

/** The choices of a select: each value, and how it is shown. */
export type Options = readonly (readonly [value: string, label: string])[];

/**
 * A text field with its label, hint and error; hint and error are tied to it for screen readers. A password has a button
 * that shows what is typed, which needs the script.
 */
export function Field({ label, name, hint, error, type = 'text', value = '', ...rest }: InputProps) {
  const { frame, browser } = useWords();
  // preact types the attributes of an input by its type, and cannot follow a type that is not known yet.
  const known = type as 'text';
  return (
    <Framed label={label} hint={hint} error={error}>
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
    </Framed>
  );
}

type TextAreaProps = Frame & { value: string; rows?: number; isFixed?: boolean };

/** A field for several lines of text; a fixed one is only for copying. */
export function TextArea({ name, value, rows = 6, isFixed = false, ...frame }: TextAreaProps) {
  return (
    <Framed {...frame}>
      {(tied) => (
        <textarea {...tied} name={name} rows={rows} readOnly={isFixed}>
          {/* A parser drops the first line feed of a textarea: this one, not a typed one. */}
          {`\n${value}`}
        </textarea>
      )}
    </Framed>
  );
}

type SelectProps = Frame & { options: Options; value?: string; any?: string };

/** A choice of one option. With `any`, none may be chosen, and a value that is no option is added as one. */
export function Select({ name, options, value = '', any, ...frame }: SelectProps) {
  const isKnown = any === undefined || value === '' || options.some(([one]) => one === value);
  const all = [...(any === undefined ? [] : [['', any] as const]), ...options];
  return (
    <Framed {...frame}>
      {(tied) => (
        <select {...tied} name={name}>
          {(isKnown ? all : [...all, [value, value] as const]).map(([one, label]) => (
            <option value={one} selected={one === value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Framed>
  );
}

/** A checkbox; unchecked, it sends nothing. */
export const Checkbox = ({ label, name, checked }: { label: string; name: string; checked: boolean }) => (
  <label class="checkbox">
    <input type="checkbox" name={name} value="on" checked={checked} />
    <span>{label}</span>
  </label>
);

/** The attributes that tie a control to its label, its hint and its error. */
type Tied = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: 'true' };

type FramedProps = Omit<Frame, 'name'> & { children: (tied: Tied) => ComponentChildren };

function Framed({ label, hint, error, children }: FramedProps) {
  const id = useId();
  const ids = [...(hint === undefined ? [] : [`${id}-hint`]), ...(error ? [`${id}-error`] : [])];
  const described = ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ ...described, ...(error ? { 'aria-invalid': 'true' } : {}), id })}
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

type Choice = { readonly href: string; readonly name: string; readonly isChosen: boolean };

type ChoicesProps = {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly current?: 'page' | 'true';
};

/** Links to other views of the page or the part below; `current` tells screen readers which one is chosen. */
export const Choices = ({ label, choices, current = 'true' }: ChoicesProps) => (
  <nav class="choices" aria-label={label}>
    {choices.map(({ href, name, isChosen }) => (
      <a href={href} aria-current={isChosen ? current : undefined}>
        {name}
      </a>
    ))}
  </nav>
);

/** The attributes of every field for a new password. */
export const NEW_PASSWORD = {
  type: 'password',
  autocomplete: 'new-password',
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_PASSWORD,
  required: true,
} as const;

/** The attributes of every field for the code of a second step. */
export const ONE_TIME_CODE = { autocomplete: 'one-time-code', required: true } as const;

/** The field of an e-mail address, which must be typed. */
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

/** The field of the password that an account has. */
export const CurrentPassword = (props: InputProps) => (
  <Field type="password" autocomplete="current-password" required {...props} />
);

/** The field in which a new password is typed. */
export function NewPassword() {
  const { frame } = useWords();
  const hint = frame.passwordHint({ fewest: SHORTEST_PASSWORD });
  return <Field label={frame.password} name="password" hint={hint} {...NEW_PASSWORD} />;
}

/** A hidden field with an account's name, under which password managers keep its password. */
export const Username = ({ email }: { email: string }) => (
  <input type="email" name="email" value={email} autocomplete="username" readOnly hidden />
);

/** One physical line to paste elsewhere. Its button needs the script, which also shows it. */
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
