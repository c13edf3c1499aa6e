import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { openStore } from '../../../src/store.ts';
import { temporaryDirectory } from '../../helpers/harness.ts';

test('reads of one turn see one moment, later ones what others wrote since, and what was written here at once', async () => {
  const data = temporaryDirectory();
  const store = await openStore(data);
  const id = 'id-1';
  await store.write.addAccount({
    id,
    email: 'anna@example.org',
    isOwner: false,
    createdAt: 1,
    disabledAt: null,
    verifiedAt: null,
  });
  const others = new Database(join(data, 'bookstall.db'), { readwrite: true, create: false });
  const disabledAt = () => store.findAccountById(id)!.disabledAt;

  await Bun.sleep(0);
  expect(disabledAt()).toBeNull();
  others.run('UPDATE accounts SET disabled_at = 5');
  expect(disabledAt()).toBeNull();
  await Bun.sleep(0);
  expect(disabledAt()).toBe(5);
  const disabling = store.write.setAccountDisabled({ id, at: null });
  disabledAt();
  await disabling;
  expect(disabledAt()).toBeNull();

  others.close();
  await store.close();
});
