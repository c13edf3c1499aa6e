import type { OfferedItem } from '../../../sales/offer.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';

/** Answers a code that was redeemed: its items, and where to read them. */
export function sendRedeemed(
  { service }: RouteDeps,
  view: View,
  items: readonly OfferedItem[],
  cookie: string | null = null,
): Response {
  return sendPage(
    view,
    { title: 'In your library', headers: cookie === null ? {} : { 'Set-Cookie': cookie } },
    <>
      <PageHeading
        title="In your library"
        lead={
          <>
            <ItemTitles service={service} items={items} /> {items.length === 1 ? 'is' : 'are'} yours.
          </>
        }
      >
        <ButtonLink href="/dashboard">Open your library</ButtonLink>
      </PageHeading>
      <p>
        A key lets your agent read it too: <a href="/dashboard/api-keys">make one</a>, or{' '}
        <a href="/dashboard/connect">connect your agent</a>.
      </p>
    </>,
  );
}
