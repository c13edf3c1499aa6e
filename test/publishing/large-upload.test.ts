import { expect, test } from 'bun:test';
import { openAdmin } from '../office/visit.ts';

const MIB = 1024 * 1024;
const { stall, open } = await openAdmin({ config: { mostPush: MIB } });
const { Cookie } = await stall.signIn('owner@example.org');
const headers = { Cookie, 'Sec-Fetch-Site': 'same-origin', Accept: 'text/html' };

/** A form with a file of so many bytes. */
function formOf(size: number): FormData {
  const form = new FormData();
  form.set('slug', 'large');
  form.set('file', new Blob(['x'.repeat(size)]), 'large.md');
  return form;
}

test.each([
  ['a little over the limit', MIB + 1],
  ['many times the limit', 40 * MIB],
])('a file %s ends in the form, which names the limit', async (_, size) => {
  const answer = await stall.fetch('/admin/add', { method: 'POST', headers, body: formOf(size) });
  const html = await answer.text();
  expect(answer.status).toBe(413);
  expect(html).toContain('Cannot take a file of more than 1 MB: choose a smaller one</div>');
  expect(html).toContain('aria-label="Add a book or skill"');
  expect((await open('/admin/items')).html).not.toContain('large');
});

test.each(['/admin/add', '/admin/orders/import'])(
  'the form of %s tells its script the limit',
  async (path) => {
    const { html } = await open(path);
    expect(html).toMatch(
      /<input[^>]*data-most="\d+"[^>]*data-too-large="Cannot take a file of more than [\d,]+ [KM]B: choose a smaller one\."/,
    );
  },
);

test('a list of sales over the limit ends in its form', async () => {
  const answer = await stall.fetch('/admin/orders/import', {
    method: 'POST',
    headers,
    body: formOf(1_050_000),
  });
  expect([answer.status, (await answer.text()).includes('CSV file')]).toEqual([413, true]);
});
