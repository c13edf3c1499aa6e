// Loaded before each test file: notes its name, since a file that cannot be imported is in no report.
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

const list = process.env['BOOKSTALL_STARTED_TESTS'];
if (list !== undefined) appendFileSync(list, `${relative(process.cwd(), Bun.main)}\n`);
