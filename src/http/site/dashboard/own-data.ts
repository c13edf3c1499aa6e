import { Elysia } from 'elysia';
import type { SiteDesk } from '../desk.ts';
import { ACCOUNT } from './account.tsx';

/** `GET /dashboard/account/data.json`: everything the stall keeps of the account, to save. */
export function ownData({ service, identity }: SiteDesk) {
  return new Elysia().use(identity).get(
    `${ACCOUNT}/data.json`,
    async ({ member }) => {
      const body = `${JSON.stringify(await service.office.personalData.export(member.email), null, 2)}\n`;
      return new Response(body, {
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': String(Buffer.byteLength(body)),
          'Content-Disposition': 'attachment; filename="bookstall-data.json"',
          'Cache-Control': 'no-store',
          'X-Content-Type-Options': 'nosniff',
        },
      });
    },
    { memberDoor: true },
  );
}
