import { Elysia } from 'elysia';
import type { SiteDesk } from './desk.ts';
import { sendPage } from './page.tsx';
import { PageHeading } from './parts/heading.tsx';
import { formatPrice } from './parts/money.ts';

/** `GET /`: what this stall has. */
export function home({ service, identity, viewOf }: SiteDesk) {
  return new Elysia().use(identity).get(
    '/',
    ({ visitor }) => {
      const view = viewOf(visitor);
      const { items } = service.listItems({ after: undefined, limit: '100' });
      return sendPage(
        view,
        { title: view.stall.name, current: '/', canonical: '/' },
        <>
          <PageHeading title={view.stall.name} lead="Books and agent skills" />
          <ul>
            {items.map(({ slug, kind, title, publisher, unitAmountCents, currency }) => (
              <li key={slug}>
                <strong>{title}</strong>, a {kind} by {publisher}, {formatPrice(unitAmountCents, currency)}
              </li>
            ))}
          </ul>
        </>,
      );
    },
    { visitorDoor: true },
  );
}
