// The stall the benches open: items of the sizes they speak of, and readers who hold them.
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Office, openOffice } from '../helpers/office.ts';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { createRandom } from './random.ts';
import { scratch, startStallUnder } from './stall-process.ts';

/** Paid skills of about 60 KB, sent whole, and 92 KB, in pieces; a book of 1 MB of prose; skills of 4 and 20 MB. */
export const PAID = 'paid-skill';
export const LONGER_PAID = 'longer-paid-skill';
export const LONG_BOOK = 'long-book';
export const MIDDLE = 'middle-skill';
export const LARGE = 'large-skill';
const GRANTS = 50;

/** The items that every reader of the shop holds. */
export const SLUGS = [
  PAID,
  LONGER_PAID,
  LONG_BOOK,
  ...Array.from({ length: GRANTS - 3 }, (_, n) => `book-${n}`),
];

const VOCABULARY = 6000;
const SYLLABLES = ['ba', 'do', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo'];

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Opens it on a free port. Each of `readers` has a key, and grants to the paid skills, the long book and 47 small books. */
export async function openShop({
  readers = 1,
  flags = [],
  prefix = [],
}: {
  readonly readers?: number;
  readonly flags?: readonly string[];
  readonly prefix?: readonly string[];
} = {}) {
  const content = scratch('shop');
  const data = join(scratch('shop-data'), 'data');
  writeShelf(content);
  mkdirSync(data);
  const port = freePort();
  const stall = await startStallUnder(prefix, content, data, port, ...flags);
  const office = await openOffice(data);
  const keys: string[] = [];
  for (let reader = 0; reader < readers; reader++)
    keys.push(await addReader(office, `reader-${reader}@example.org`));
  await office.close();
  return {
    ...stall,
    content,
    port,
    keys,
    /** The header of a reader's key; beyond the last reader it begins with the first again. */
    key: (reader = 0) => ({ Authorization: `Bearer ${keys[reader % keys.length]}` }),
  };
}

export function writeShelf(content: string): void {
  const paid = itemYaml({ unitAmountCents: 900 });
  writeFiles(content, {
    [`skills/${PAID}/item.yaml`]: paid,
    [`skills/${PAID}/SKILL.md`]: skillMd(PAID),
    // Noise does not deflate: the archive has the size of its file.
    [`skills/${PAID}/noise.bin`]: randomBytes(59_000),
    [`skills/${LONGER_PAID}/item.yaml`]: paid,
    [`skills/${LONGER_PAID}/SKILL.md`]: skillMd(LONGER_PAID),
    [`skills/${LONGER_PAID}/noise.bin`]: randomBytes(91_000),
    [`books/${LONG_BOOK}/item.yaml`]: itemYaml({ id: LONG_BOOK, title: 'A long book', unitAmountCents: 900 }),
    [`books/${LONG_BOOK}/01.md`]: prose(1_000_000),
    [`skills/${MIDDLE}/item.yaml`]: itemYaml(),
    [`skills/${MIDDLE}/SKILL.md`]: skillMd(MIDDLE),
    [`skills/${MIDDLE}/noise.bin`]: randomBytes(4_000_000),
    [`skills/${LARGE}/item.yaml`]: itemYaml(),
    [`skills/${LARGE}/SKILL.md`]: skillMd(LARGE),
    [`skills/${LARGE}/noise.bin`]: randomBytes(20_000_000),
  });
  for (let book = 0; book < GRANTS - 3; book++) {
    writeFiles(join(content, 'books', `book-${book}`), {
      'item.yaml': itemYaml({ id: `book-${book}`, title: `Book ${book}`, unitAmountCents: 900 }),
      '01.md': `# The heron\n\n${prose(2_000)}`,
    });
  }
}

/** About so many bytes of text in paragraphs; words are as unequally frequent as in a language (Zipf). */
function prose(bytes: number): string {
  const random = createRandom(bytes);
  let text = '';
  for (let n = 0; text.length < bytes; n++) {
    const rank = Math.floor(Math.exp(random() * Math.log(VOCABULARY)));
    text += `${word(rank)}${n % 90 === 89 ? '.\n\n' : n % 12 === 11 ? '. ' : ' '}`;
  }
  return text;
}

/** A made-up word; the frequent ones, of low rank, are short. */
export function word(rank: number): string {
  return [...String(rank)].map((digit) => SYLLABLES[Number(digit)]).join('');
}

export async function addReader({ accounts, grants, keys }: Office, email: string): Promise<string> {
  await accounts.add(email);
  for (const slug of SLUGS) await grants.add({ email, slug });
  return (await keys.create(email, 'bench', { days: 1 })).key;
}
