import type { View } from '../frame/view.ts';
import { ContactLink } from '../parts/contact-link.tsx';
import { Field } from '../parts/field.tsx';
import { Button, Form } from '../parts/form.tsx';
import { LinkCode } from '../parts/link-code.tsx';
import { PasswordFields } from '../parts/password-fields.tsx';

/** The way to the forms of the mail; the script takes the secret of a link there that was opened here. */
export function ToMail() {
  return (
    <p class="quiet">
      Have you a mail of this stall?{' '}
      <a href="/claim?mail" data-fragment-page>
        Use its link, or have it sent again
      </a>
    </p>
  );
}

/** The form of the link in a mail. Its secret follows `#`, where no server and no log sees it. */
export function ByMail({ code, email }: { readonly code: string; readonly email: string | null }) {
  return (
    <section>
      <h2>By the link in your mail</h2>
      {email === null && (
        <p class="quiet">
          Choose a password for your account. If you have one already,{' '}
          <a href="/sign-in?next=/claim?mail">sign in</a>, then open the link again.
        </p>
      )}
      <Form action="/claim" label="By the link in your mail">
        <LinkCode value={code} />
        {email === null && <PasswordFields />}
        <Button>{email === null ? 'Set password and sign in' : `Add to ${email}`}</Button>
      </Form>
    </section>
  );
}

/** The form for buyers at Gumroad, which does not send them back here. */
export function ByLicenseKey() {
  return (
    <section>
      <h2>Bought at Gumroad?</h2>
      <Form action="/claim/gumroad" method="get" label="By the license key">
        <Field
          label="License key"
          name="id"
          hint="Gumroad’s receipt shows it"
          autocomplete="off"
          maxLength={100}
          required
        />
        <Button kind="quiet">Find my purchase</Button>
      </Form>
    </section>
  );
}

/** The form that has the mail sent again; without mail, whom to ask. */
export function SendAgain({ sends, view }: { readonly sends: boolean; readonly view: View }) {
  const { contact } = view.stall;
  if (!sends)
    return (
      <p class="quiet">
        No link? This stall sends no mail: ask the people who run it
        {contact !== null && (
          <>
            {' '}
            (<ContactLink contact={contact} />)
          </>
        )}
        , and name your order.
      </p>
    );
  return (
    <section>
      <h2>No mail yet?</h2>
      <Form action="/claim/mail" label="Send it again">
        <Field
          label="E-mail"
          name="email"
          type="email"
          hint="The address you gave when you paid"
          autocomplete="email"
          required
        />
        <Button kind="quiet">Send it again</Button>
      </Form>
    </section>
  );
}
