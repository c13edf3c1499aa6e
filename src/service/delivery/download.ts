import type { AgentPrincipal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Download } from '../../store/tables/downloads.ts';

/** The row of one archive handed out; `bytes` is the archive's length, `at` milliseconds since 1970. */
export function createDownload(take: {
  readonly id: string;
  readonly principal: AgentPrincipal;
  readonly edition: Edition;
  readonly door: string;
  readonly bytes: number;
  readonly at: number;
}): Download {
  const { id, principal, edition, door, bytes, at } = take;
  const { kind, slug } = edition.manifest;
  const accountId = principal.kind === 'anonymous' ? null : principal.accountId;
  const keyId = principal.kind === 'account' ? principal.keyId : null;
  return {
    id,
    accountId,
    keyId,
    kind,
    itemKey: itemKey(edition.manifest),
    slug,
    digest: edition.digest,
    door,
    bytes,
    downloadedAt: at,
  };
}
