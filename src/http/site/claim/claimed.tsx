import type { CreatedKey } from '../../../service/keys.ts';
import { BEARER_VARIABLE, curlLines } from '../../../service/curl-line.ts';
import type { Order } from '../../../sales/order.ts';
import { sendPage } from '../frame/page.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import type { View } from '../frame/view.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';
import { nameItem } from '../../../service/items.ts';

/** The most items with a line of their own; the library has them all. */
const MOST_LINES = 10;

/** Answers the form that claimed an order: its items, a new key, which no other page shows, and the lines that install. */
export function sendClaimed(
  { service }: RouteDeps,
  view: View,
  order: Order,
  key: CreatedKey | null,
  cookie: string | null,
): Response {
  const headers = cookie === null ? undefined : { 'Set-Cookie': cookie };
  return sendPage(
    view,
    { title: 'In your library', headers },
    <>
      <PageHeading
        title="In your library"
        lead={
          <>
            <ItemTitles service={service} items={order.items} /> is yours. Order {order.ref}.
          </>
        }
      >
        <ButtonLink href="/dashboard">Open your library</ButtonLink>
      </PageHeading>
      {key !== null && (
        <section class="secret stack">
          <h2>Your key</h2>
          <CopyLine
            text={`export BOOKSTALL_KEY=${key.secret}`}
            label="For the lines below; it is shown only once"
          />
          <p>Anyone who has this key can read what you own: keep it as safe as a password.</p>
        </section>
      )}
      <section>
        <h2>Install</h2>
        {order.items.slice(0, MOST_LINES).map(({ kind, itemKey, slug }) => {
          const now = nameItem(service.stall, kind, itemKey)?.slug ?? slug;
          return (
            <CopyLine
              key={now}
              text={curlLines.install(view.origin, BEARER_VARIABLE, now)}
              label={`Install into the folder ${now}`}
            />
          );
        })}
      </section>
    </>,
  );
}
