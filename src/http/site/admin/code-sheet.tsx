import type { SessionPrincipal } from '../../../access/principal.ts';
import type { CreatedCodes } from '../../../service/codes.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ButtonLink } from '../parts/form.tsx';
import { ItemTitles } from '../parts/item-titles.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';

/** Answers the form that made codes: a sheet to print and cut. No other page shows them, and nothing keeps them. */
export function sendCodeSheet(
  deps: RouteDeps,
  owner: SessionPrincipal,
  { codes, items, until }: CreatedCodes,
): Response {
  const { service, viewOf } = deps;
  const { origin, stall } = viewOf(owner);
  return sendAdminPage(
    deps,
    owner,
    {
      current: '/admin/codes',
      title: codes.length === 1 ? '1 code made' : `${codes.length} codes made`,
      lead: 'Save or print this page now: the codes are shown only once.',
      actions: (
        <ButtonLink href="/admin/codes" kind="quiet">
          All codes
        </ButtonLink>
      ),
    },
    <ul class="code-sheet">
      {codes.map((code) => (
        <li key={code}>
          <p>
            <ItemTitles service={service} items={items} />
            {' · '}
            {stall.name}
          </p>
          <p>
            <code>{code}</code>
          </p>
          <p class="quiet">
            Enter it at {origin}/redeem
            {until !== null && (
              <>
                , until <When at={until - 1} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>,
  );
}
