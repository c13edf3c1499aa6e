// The least program that opens a database and answers through Elysia: what start.ts compares with. Words: FILE PORT.
import '../../src/platform/base/production.ts';
import { Database } from 'bun:sqlite';
import { Elysia } from 'elysia';

const [file = '', port = ''] = process.argv.slice(2);
const db = new Database(file, { create: true, strict: true });
db.run('PRAGMA journal_mode = WAL');
const one = db.query<{ one: number }, []>('SELECT 1 AS one');
new Elysia()
  .get('/', () => String(one.get()?.one))
  .listen({ hostname: '127.0.0.1', port: Number(port), reusePort: false });
