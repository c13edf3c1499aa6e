import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { PASSWORD, temporaryDirectory } from '../helpers/harness.ts';
import type { Served } from '../binary/program.ts';
import type { OpenPage } from './chromium.ts';
import { type Hand, keyboard, mouse } from './hand.ts';

export type Way = readonly [name: string, handOf: (page: Page) => Hand, javaScript: boolean];

/** The ways in which a person may use the site: all of it has to work in each. */
export const WAYS: readonly Way[] = [
  ['without JavaScript', mouse, false],
  ['with the keyboard alone', keyboard, true],
];

/** A person with a browser. */
export type Person = Hand & { readonly email: string; readonly javaScript: boolean };

export async function meet(openPage: OpenPage, { url }: Served, email: string, way: Way): Promise<Person> {
  const [, handOf, javaScript] = way;
  return { ...handOf(await openPage(url, { javaScript })), email, javaScript };
}

/** The link of the first start makes its visitor the owner, once. */
export async function setUp(owner: Person, stall: Served): Promise<void> {
  const link = /http\S+\/set-up#\S+/.exec(await stall.err.until('/set-up#'))?.[0] ?? '';
  await openLink(owner, link);
  await owner.type('E-mail', owner.email);
  await owner.type('Password', 'password');
  await owner.press('Become the owner');
  await expectNotice(owner, 'Cannot use this password');
  expect(await owner.page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(owner.email);
  expect(await owner.page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await owner.type('Password', PASSWORD);
  await owner.press('Become the owner');
  await expectPath(owner, '/admin');
  expect((await stall.fetch('/set-up')).status).toBe(404);
}

/** An invite link names the account it is for, and sets its first password, once. */
export async function accept(reader: Person, link: string): Promise<void> {
  await openLink(reader, link);
  if (!reader.javaScript) await reader.press('Go on');
  await reader.page.getByText(`For ${reader.email}.`).waitFor();
  await reader.type('Password', PASSWORD);
  await reader.press('Set password and sign in');
  await expectPath(reader, '/dashboard');
}

export async function signOut(person: Person): Promise<void> {
  await person.press('Sign out');
  await expectPath(person, '/');
  expect(await person.page.getByRole('link', { name: 'Sign in', exact: true }).count()).toBe(1);
}

/** A page that needs a session sends the visitor to sign in, and back afterwards. */
export async function signIn(person: Person, wanted: string): Promise<void> {
  await person.page.goto(wanted);
  await person.type('E-mail', `x${person.email}`);
  await person.type('Password', PASSWORD);
  await person.press('Sign in');
  await expectNotice(person, 'Cannot sign in');
  expect(await person.page.getByLabel('E-mail', { exact: true }).inputValue()).toBe(`x${person.email}`);
  await person.type('E-mail', person.email);
  await person.type('Password', PASSWORD);
  await person.press('Sign in');
  await expectPath(person, wanted);
}

/** The office adds an account and shows its link; an address that has an account is refused, and stays typed. */
export async function invite(owner: Person, email: string): Promise<string> {
  await owner.follow('Accounts');
  await owner.type('E-mail of a new account', owner.email);
  await owner.press('Add account and create invite link');
  await expectNotice(owner, 'it has an account already');
  expect(await owner.page.getByLabel('E-mail of a new account').inputValue()).toBe(owner.email);
  await owner.type('E-mail of a new account', email);
  await owner.press('Add account and create invite link');
  return secretOn(owner);
}

export async function grant(owner: Person, email: string, slug: string): Promise<void> {
  await owner.follow('Accounts');
  await owner.follow(email);
  await owner.unfold('Grant an item');
  await owner.choose('Item', (await owner.page.locator(`option[value="${slug}"]`).textContent()) ?? '');
  await owner.press('Grant item');
  await owner.page.getByRole('row').filter({ hasText: slug }).getByText('active').waitFor();
}

/** A reader's keys are in the account. */
export async function showKeys(reader: Person): Promise<void> {
  await reader.follow('Account');
  await reader.follow('Manage keys');
}

/** Creates a key, and runs its page's test command in a shell. */
export async function createKey(reader: Person, name: string) {
  await showKeys(reader);
  await reader.type('Name', name);
  await reader.choose('Expires', '30 days');
  await reader.press('Create key');
  const key = await secretOn(reader);
  const line = (await reader.page.getByText('curl -sS').textContent()) ?? '';
  await reader.follow('All keys');
  expect(await reader.page.content()).not.toContain(key);
  return { key, line };
}

/** Runs a command of the site in a shell, with the key in its variable. */
export async function tryLine(line: string, key: string): Promise<string> {
  const shell = Bun.spawn(['sh', '-c', line], {
    cwd: temporaryDirectory(),
    env: { PATH: process.env['PATH'] ?? '', [/BOOKSTALL_KEY\w*/.exec(line)?.[0] ?? '']: key },
    stderr: 'pipe',
  });
  const [out, err, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  return code === 0 ? out : `${code}: ${err}`;
}

/** The list of keys shows soon after its use that a key was used. */
export async function expectUsed({ page }: Person, name: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: name });
  while ((await row.textContent())?.includes('never')) await page.reload();
}

export async function revokeKey(reader: Person, name: string): Promise<void> {
  await reader.follow(`Revoke ${name}`);
  expect(await reader.page.getByRole('main').textContent()).toContain('get 401 from their next request on');
  await reader.press('Revoke key');
  expect(await reader.page.getByRole('status').first().textContent()).toContain('Key revoked');
}

/** The secret that is shown only once: a key, or a link. */
async function secretOn({ page }: Person): Promise<string> {
  return (await page.locator('.secret code').textContent()) ?? '';
}

/** Without the script, the secret after # is pasted. */
async function openLink({ page, type, javaScript }: Person, link: string): Promise<void> {
  await page.goto(link);
  if (javaScript) expect(page.url()).not.toContain('#');
  else await type('Code from the link', link.slice(link.indexOf('#') + 1));
}

async function expectNotice({ page }: Person, sentence: string): Promise<void> {
  expect(await page.getByRole('alert').textContent()).toContain(sentence);
}

async function expectPath({ page }: Person, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}
