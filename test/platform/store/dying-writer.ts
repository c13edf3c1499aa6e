/** A process that adds twelve accounts one by one, says of each whether it was kept or refused, and dies by kill -9. */
import { writeSync } from 'node:fs';
import { openStore } from '../../../src/store.ts';

const store = await openStore(process.argv[2] ?? '');
for (let n = 1; n <= 12; n++) {
  const account = {
    id: `id-${n}`,
    email: `a${n}@example.org`,
    isOwner: false,
    createdAt: n,
    disabledAt: null,
    verifiedAt: null,
  };
  const said = await store.write.addAccount(account).then(
    () => 'kept',
    () => 'refused',
  );
  writeSync(1, `${n} ${said}\n`);
}
process.kill(process.pid, 'SIGKILL');
