// Opens the database again for each account it adds, as commands do, and prints the number of each that is written; until its input ends.
import { openForWriting } from '../../../src/platform/store/database.ts';
import { addAccount } from './database-file.ts';

const [file = '', first = '0'] = process.argv.slice(2);
let isRunning = true;
void Bun.stdin.text().then(() => (isRunning = false));
for (let n = Number(first); isRunning; n++) {
  try {
    const db = openForWriting(file);
    try {
      addAccount(db, n);
      console.log(n);
    } finally {
      db.close();
    }
  } catch {
    // Shut out while the database is exchanged: then it told nobody that it was written.
  }
  await Bun.sleep(Math.random() * 5);
}
