import { expect } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory } from '../helpers/harness.ts';
import { testPages, withPages } from './chromium.ts';

const MIB = 1024 * 1024;
const stall = await openStall({ files: {}, config: { mostPush: MIB } });
await stall.app.admin.accounts.add('owner@example.org', true);
const { Cookie } = await stall.signIn('owner@example.org');
const LIMIT = 'Cannot take a file of more than 1 MB: choose a smaller one';

const folder = temporaryDirectory();
for (const size of [1, 3, 60]) writeFileSync(join(folder, `${size}.md`), 'x'.repeat(size * MIB));

testPages(
  'a file over the limit is refused in its form: by the script before it is sent, without one by the server',
  withPages(async (openPage) => {
    for (const hasScript of [true, false])
      for (const size of [1, 3, 60]) {
        const page = await openPage(stall.url, { javaScript: hasScript, cookie: Cookie });
        await page.goto(`${stall.url}/admin/add`);
        await page.getByLabel('File').setInputFiles(join(folder, `${size}.md`));
        if (hasScript) {
          const said = await page.evaluate<string>(`document.querySelector('[name=file]').validationMessage`);
          expect([size, said]).toEqual([size, `${LIMIT}.`]);
        } else {
          await page.getByRole('button', { name: 'Add as a draft' }).click();
          await page.getByText(LIMIT).waitFor();
          await page.getByRole('button', { name: 'Add as a draft' }).waitFor();
        }
        await page.close();
      }
  }),
);
