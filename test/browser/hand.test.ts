import { afterAll, expect } from 'bun:test';
import { testPages, withPages } from './chromium.ts';
import { keyboard, mouse } from './hand.ts';

const STYLE = "default-src 'none'; style-src 'self'; form-action 'self'";

const FORMS = `<!doctype html><title>Forms</title><link rel="stylesheet" href="/style.css">
<form method="post" action="/sent"><label for="a">Name</label><input id="a" name="name">
<label for="b">Ends</label><select id="b" name="ends"><option>7 days<option>90 days<option>never</select>
<button>Create</button></form>
<table><tr><td>laptop<td><form method="post" action="/sent"><button name="revoke" value="laptop">Revoke</button></form>
<tr><td>server<td><form method="post" action="/sent"><button name="revoke" value="server">Revoke</button></form></table>
<a href="/elsewhere">Logs</a>`;

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === '/style.css')
      return new Response('.blind:focus { outline: none }', { headers: { 'Content-Type': 'text/css' } });
    const bodies: Readonly<Record<string, string>> = {
      '/sent': Bun.escapeHTML(await request.text()),
      '/blind':
        '<!doctype html><link rel="stylesheet" href="/style.css"><a class="blind" href="/">Hidden ring</a>',
      '/elsewhere': 'elsewhere',
    };
    return new Response(bodies[pathname] ?? FORMS, {
      headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': STYLE },
    });
  },
});
afterAll(() => server.stop(true));

testPages.each([
  ['mouse', mouse],
  ['keyboard', keyboard],
])(
  'the %s types, chooses, presses and follows by visible words',
  withPages(async (openPage, _name, handOf) => {
    const page = await openPage(server.url.origin);
    const hand = handOf(page);
    const said = async (): Promise<string | null> => page.locator('body').textContent();
    await page.goto('/');
    await hand.type('Name', 'my key');
    await hand.choose('Ends', '90 days');
    await hand.press('Create');
    expect(await said()).toBe('name=my+key&ends=90+days');
    await page.goto('/');
    await hand.press('Revoke', 'server');
    expect(await said()).toBe('revoke=server');
    await page.goto('/');
    await hand.follow('Logs');
    expect(await said()).toBe('elsewhere');
  }),
);

testPages(
  'an invisible focus is refused, and so is an element that Tab does not reach',
  withPages(async (openPage) => {
    const page = await openPage(server.url.origin);
    // Bun's `rejects` waits inside the event loop, where the browser's answers may never arrive.
    const refusal = (promise: Promise<void>): Promise<string> => promise.then(() => 'none', String);
    await page.goto('/blind');
    expect(await refusal(keyboard(page).follow('Hidden ring'))).toContain('Nobody sees that "Hidden ring"');
    await page.goto('/');
    expect(await refusal(keyboard(page).press('Delete'))).toContain('Cannot reach "Delete" with Tab');
  }),
);
