import { afterAll, expect } from 'bun:test';
import { post, queryOf, registerAt, toolsAt, verifierOf } from '../agents/assistant.ts';
import { openStall, PASSWORD } from '../helpers/harness.ts';
import { problemsOf, testPages } from './chromium.ts';
import { type Hand, keyboard, mouse, touch } from './hand.ts';

const EMAIL = 'ada@example.org';
const stall = await openStall();
await stall.reader(EMAIL, 'paid-book');
await stall.signIn(EMAIL);

/** The assistant's own server on the reader's machine. */
const assistant = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Response('Back at the assistant'),
});
afterAll(() => assistant.stop(true));
const redirect = `http://127.0.0.1:${assistant.port}/callback`;
const client = String((await registerAt(stall, { redirect_uris: [redirect] })).body['client_id']);

testPages.each([
  ['by keyboard', keyboard, true, 'desktop'],
  ['without JavaScript', mouse, false, 'desktop'],
  ['without JavaScript by a finger on a phone', touch, false, 'phone'],
] as const)(
  'a reader signs in, allows their notes, and is led back to the assistant: %s',
  async (_, handOf, javaScript, width) => {
    const verifier = verifierOf();
    let led = '';
    const problems = await problemsOf(async (openPage) => {
      const page = await openPage(stall.url, { javaScript, width });
      const hand: Hand = handOf(page);
      await page.goto(`/authorize?${queryOf(client, verifier, { redirect_uri: redirect })}`);
      await hand.type('E-mail', EMAIL);
      await hand.type('Password', PASSWORD);
      await hand.press('Sign in');
      await page.getByText('asks to read your library here').waitFor();
      const notes = page.getByLabel('Read my own notes');
      expect([await notes.isChecked(), await page.getByLabel('Ask books questions').isChecked()]).toEqual([
        false,
        true,
      ]);
      await notes.focus();
      await page.keyboard.press('Space');
      await hand.press('Connect');
      await page.getByText('Back at the assistant').waitFor();
      led = page.url();
    });
    // The one thing that pages do not do else: this one leads on to another origin, past the rule for forms.
    expect(problems.filter((problem) => !problem.startsWith(`left the origin: GET ${redirect}?`))).toEqual(
      [],
    );
    const code = new URL(led).searchParams.get('code') ?? '';
    const sent = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirect };
    const { body } = await post(stall, '/token', { ...sent, client_id: client });
    expect(await toolsAt(stall, body['access_token'])).toContain('my_notes');
  },
);
