import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Button, ButtonLink, Form } from '../parts/form.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { sendAdminPage } from './admin-page.tsx';

/** What is asked before something is taken away: what will stop, where the form goes, and where who thinks better of it. */
type Question = {
  readonly title: string;
  readonly stops: ComponentChildren;
  readonly action: string;
  readonly button: string;
  readonly back: string;
  /** What the form sends along. */
  readonly fields?: Readonly<Record<string, string>>;
};

/** The page that asks once. */
export function sendConfirmation(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { title, stops, action, button, back, fields = {} }: Question,
): Response {
  return sendAdminPage(
    deps,
    owner,
    { room: ACCOUNTS, title },
    <>
      <p>{stops}</p>
      <Form action={action}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div class="actions">
          <Button kind="danger">{button}</Button>
          <ButtonLink href={back} kind="quiet">
            Leave it as it is
          </ButtonLink>
        </div>
      </Form>
    </>,
  );
}
