import { Elysia } from 'elysia';
import { endNews } from '../../../service/mails.ts';
import type { ComponentChildren } from 'preact';
import type { Principal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { Button, Form } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';

/**
 * `/unsubscribe/<secret>`: ends news by mail. Mail programs send the form themselves, without a page of ours before it
 * (RFC 8058 §3.1): the secret alone counts. A link that is only opened changes nothing.
 */
export function unsubscribe(deps: RouteDeps) {
  const { stall, identity, viewOf } = deps;
  const page = (principal: Principal, title: string, body: ComponentChildren): Response =>
    sendPage(viewOf(principal), { title, headers: UNSEEN }, <div class="narrow">{body}</div>);
  return new Elysia()
    .use(identity)
    .get(
      '/unsubscribe/:secret',
      ({ principal, params }) =>
        page(
          principal,
          'End news by mail',
          <>
            <PageHeading
              title="End news by mail"
              lead="You get no more mail about new versions of what you hold."
            />
            <Form action={`/unsubscribe/${encodeURIComponent(params.secret)}`}>
              <Button>End it</Button>
            </Form>
          </>,
        ),
      { openGuard: true },
    )
    .post(
      '/unsubscribe/:secret',
      async ({ principal, params }) => {
        if (!(await endNews(stall, params.secret))) throw unknown();
        return page(
          principal,
          'News ended',
          <PageHeading
            title="News ended"
            lead="No more news comes by mail. Your account page can begin it again."
          />,
        );
      },
      { openGuard: true, parse: 'none' },
    );
}

/** The address holds the secret. */
const UNSEEN = { 'Referrer-Policy': 'no-referrer' };

function unknown(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot end news by this link: it has expired or was never made here; use your account page',
  );
}
