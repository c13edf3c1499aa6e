import { expect, test } from 'bun:test';
import { announceThroughKills } from '../torture/announce.ts';

test('a server that is killed among announcements goes on: none is lost, and one at the most is sent again', async () => {
  const done = await announceThroughKills(60, 1, () => 50 + Math.random() * 100, false);
  // The mail that the kill struck is tried again after a minute.
  expect(done.sent + done.waiting).toBe(done.mails);
  expect(done.waiting).toBeLessThanOrEqual(1);
  expect(done.reached).toBeGreaterThanOrEqual(done.sent);
  expect([done.repeated, done.otherIds]).toEqual([0, 0]);
});
