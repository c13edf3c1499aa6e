/** A process to be killed: adds accounts without end and prints the number of each that was acknowledged. */
import { openStore } from '../../../src/store.ts';

const [directory = '', first = '0'] = process.argv.slice(2);
const store = await openStore(directory);
for (let n = Number(first); ; n += 10) {
  const batch = Array.from({ length: 10 }, (_, k) => n + k);
  await Promise.all(
    batch.map(async (k) => {
      await store.write.addAccount({
        id: `id-${k}`,
        email: `a${k}@example.org`,
        isOwner: false,
        createdAt: k,
        disabledAt: null,
        verifiedAt: null,
      });
      process.stdout.write(`${k}\n`);
    }),
  );
}
