import { LINKS } from '../parts/agent-steps.tsx';
import { LINK_WARNING } from '../../../item/connect.ts';
import { Refusal } from '../../../refusal.ts';
import type { Service } from '../../../service/service.ts';
import type { StoredToken } from '../../../store/tables/keys.ts';
import { Notice } from '../parts/notice.tsx';
import { nameItem } from '../../../service/items.ts';

/** The sentences beside each link. */
export function LinkWarning() {
  return (
    <Notice kind="warn">
      {LINK_WARNING} <a href={`${LINKS}#links`}>Revoke it here.</a>
    </Notice>
  );
}

/** The items of a link in words. */
export function describeItems(service: Service, { scope }: Pick<StoredToken, 'scope'>): string {
  if (scope.items === null) return 'Everything you own';
  return scope.items
    .map(({ kind, itemKey }) => nameItem(service.stall, kind, itemKey)?.title ?? itemKey)
    .join(', ');
}

/** Refuses a form whose token was used before or is no longer known. */
export function refuseSentBefore(isFirst: boolean): void {
  if (isFirst) return;
  throw new Refusal(
    'invalid-request',
    'Cannot send this form twice: it was sent before, and no link was made now; if the link in the list is not the one you copied, revoke it and send the form again',
  );
}
