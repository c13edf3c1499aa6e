import { describe, expect, test } from 'bun:test';
import type { SessionPrincipal } from '../../../src/access/principal.ts';
import { createPersonalData } from '../../../src/service/account/personal-data.ts';
import { EMAIL, openFrontDesk } from '../account/sign-in-services.ts';
import { TODAY } from './admin-services.ts';

async function open() {
  const desk = await openFrontDesk();
  const owner = await desk.accounts.add('owner@example.org', true);
  const session = { kind: 'account', keyId: null, sessionId: 's', isOwner: true } as const;
  const actor: SessionPrincipal = { ...session, accountId: owner.id, email: owner.email };
  return { ...desk, actor, personalData: createPersonalData(desk.store, desk.accounts) };
}

describe("the owner's log", () => {
  test('tells who did what to whom, the newest first, by pages', async () => {
    const { audit, actor, pass } = await open();
    expect(await audit.list()).toEqual({ entries: [], next: null });
    await audit.note(actor, 'grant.add', EMAIL, { slug: 'heron', until: null, again: false, days: 3 });
    pass(1000);
    for (let n = 0; n < 4; n++) await audit.note(actor, 'reindex', `the stall ${n}`);
    const page = await audit.list(null, 2);
    const next = await audit.list(page.next, 2);
    const last = await audit.list(next.next, 2);
    const subjects = [page, next, last].map(({ entries }) => entries.map(({ subject }) => subject));
    expect(subjects).toEqual([['the stall 3', 'the stall 2'], ['the stall 1', 'the stall 0'], [EMAIL]]);
    expect(last.next).toBeNull();
    expect(last.entries).toEqual([
      {
        ...{ id: 1, at: TODAY, actorId: actor.accountId, actorEmail: actor.email, action: 'grant.add' },
        ...{ subject: EMAIL, details: { slug: 'heron', until: null, again: false, days: 3 } },
      },
    ]);
  });

  test('is part of what a person may have, as the one who did it or whom it was done to', async () => {
    const { audit, actor, personalData } = await open();
    await audit.note(actor, 'account.disable', 'ANNA@example.org');
    await audit.note(actor, 'account.disable', 'bert@example.org');
    const auditOf = async (email: string) =>
      ((await personalData.export(email)) as { audit?: unknown }).audit;
    expect(await auditOf(EMAIL)).toMatchObject([{ is_actor: 0, action: 'account.disable' }]);
    expect(await auditOf(actor.email)).toMatchObject([
      { is_actor: 1 },
      { is_actor: 1, subject: 'bert@example.org' },
    ]);
  });

  test('names no account that was removed, and keeps what was done', async () => {
    const { audit, actor, personalData } = await open();
    await audit.note(actor, 'account.disable', 'Anna@Example.org', { kept: 'yes' });
    await audit.note(actor, 'grant.import', 'shop.csv', { email: EMAIL });
    await audit.note(actor, 'reindex', 'a book on anna@example.org');
    await personalData.remove(EMAIL);
    const told = (await audit.list()).entries.map(({ action, subject, details }) => [
      action,
      subject,
      details,
    ]);
    expect(told).toEqual([
      ['reindex', 'a book on anna@example.org', {}],
      ['grant.import', 'shop.csv', {}],
      ['account.disable', 'a removed account', { kept: 'yes' }],
    ]);
    await personalData.remove(actor.email);
    const actors = (await audit.list()).entries.map(({ actorId, actorEmail }) => [actorId, actorEmail]);
    expect(actors).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
  });
});
