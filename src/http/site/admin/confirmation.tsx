import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { type AdminPage, sendAdminPage } from './admin-page.tsx';

/** A question before something is taken away: what will stop, where the form is sent, and where "Cancel" leads. */
type Question = {
  readonly current?: AdminPage['current'];
  readonly title: string;
  readonly stops: ComponentChildren;
  readonly action: string;
  readonly button: string;
  readonly back: string;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** Sends the page that asks for confirmation. */
export function sendConfirmation(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { current = ACCOUNTS, title, stops, action, button, back, fields = {} }: Question,
): Response {
  return sendAdminPage(
    deps,
    owner,
    { current, title },
    <>
      <p>{stops}</p>
      <Form action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <Button kind="danger">{button}</Button>
          <ButtonLink href={back} kind="quiet">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </>,
  );
}
