import { expect } from 'bun:test';
import { testPages, withPages } from './chromium.ts';
import { type Hand, mouse } from './hand.ts';
import { faultsOf } from './page-rules.ts';
import { picture } from './picture.ts';
import { openFull, OWNER } from './stalls.ts';

const { stall, cookies } = await openFull();

type Sender = keyof typeof cookies | 'anonymous';

/** Pages that only a form leads to. */
const PAGES: readonly (readonly [
  name: string,
  sender: Sender,
  path: string,
  send: (hand: Hand) => Promise<void>,
])[] = [
  ['sign-in-refused', 'anonymous', '/sign-in', signInWrong],
  ['key-new', 'reader', '/dashboard/api-keys', (hand) => createKey(hand, 'laptop')],
  ['key-refused', 'reader', '/dashboard/api-keys', (hand) => createKey(hand, '   ')],
  ['link-new', 'reader', '/dashboard/connect', (hand) => makeLink(hand, 'laptop')],
  ['link-refused', 'reader', '/dashboard/connect', (hand) => makeLink(hand, '   ')],
  ['office-link', 'owner', '/admin/accounts', (hand) => addAccount(hand, `new-${Math.random()}@example.org`)],
  ['office-account-refused', 'owner', '/admin/accounts', (hand) => addAccount(hand, OWNER)],
  ['office-import', 'owner', '/admin/orders/import', importNonsense],
];

async function signInWrong({ type, press }: Hand): Promise<void> {
  await type('E-mail', 'nobody@example.org');
  await type('Password', 'nothing');
  await press('Sign in');
}

async function createKey({ type, press }: Hand, name: string): Promise<void> {
  await type('Name', name);
  await press('Create key');
}

async function makeLink({ type, press }: Hand, name: string): Promise<void> {
  await type('Name', name);
  await press('Make link');
}

async function addAccount({ type, press }: Hand, email: string): Promise<void> {
  await type('E-mail of a new account', email);
  await press('Add account and create invite link');
}

async function importNonsense({ type, press, unfold }: Hand): Promise<void> {
  await unfold('Or paste the list, or cells of a spreadsheet');
  await type('List', 'Purchase ID,Item Name,Purchase Email\na==,Nothing,nobody@example.org\nb==,x,y\n');
  await press('Read the list');
}

testPages(
  'each page after a form keeps every rule',
  withPages(async (openPage) => {
    const width = 'phone' as const;
    const faults: Record<string, readonly string[]> = {};
    const pages = {
      anonymous: await openPage(stall.url, { width }),
      reader: await openPage(stall.url, { width, cookie: cookies.reader }),
      owner: await openPage(stall.url, { width, cookie: cookies.owner }),
    };
    for (const [name, sender, path, send] of PAGES) {
      const page = pages[sender];
      await page.goto(path);
      await send(mouse(page));
      await page.waitForLoadState();
      await picture(page, `${name}-full`);
      const found = await faultsOf(page);
      if (found.length > 0) faults[name] = found;
    }
    expect(faults).toEqual({});
  }),
);
