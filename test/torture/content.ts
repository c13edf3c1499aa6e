// The content directory of a torture run: some constant items, and one with distinguishable editions.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeFiles } from './program.ts';

/** Items that accounts are granted. */
export const PAID = ['paid-book', 'paid-skill'] as const;
export const FREE_BOOK = 'free-id';
export const CHANGING = 'changing-book';

const TEXT = '# The heron\n\nThe grey heron stands on one leg, because the cold water would chill both.\n';

function itemYaml(title: string, cents: number, id: string | null): string {
  const keys = { title, description: 'For the torture run', publisher: 'Nobody', unitAmountCents: cents };
  return Object.entries(id === null ? keys : { id, ...keys })
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
}

/** Writes the content directory of a run, with the first edition of the changing book. */
export function writeContent(directory: string): void {
  writeFiles(join(directory, 'content'), {
    'books/free-book/item.yaml': itemYaml('A free book', 0, FREE_BOOK),
    'books/free-book/01.md': TEXT,
    'books/paid-book/item.yaml': itemYaml('A paid book', 1900, 'paid-id'),
    'books/paid-book/01.md': TEXT,
    'skills/paid-skill/item.yaml': itemYaml('A paid skill', 500, null),
    'skills/paid-skill/SKILL.md': '---\nname: paid-skill\ndescription: A skill.\n---\n\nDo it well.\n',
  });
  writeEdition(directory, 1);
}

const CHAPTERS = ['01.md', '02.md', '03.md'];

/** Writes one edition of the changing book: each of its files names the edition, and one is long enough for a kill in its middle. */
export function writeEdition(directory: string, edition: number): void {
  const noise = createHash('sha512').update(String(edition)).digest('hex');
  writeFiles(join(directory, 'content/books', CHANGING), {
    'item.yaml': `${itemYaml('A book that changes', 0, 'changing-id')}version: "${edition}"\n`,
    ...Object.fromEntries(CHAPTERS.map((path) => [path, `# Edition ${edition}\n\n${TEXT}`])),
    'noise.bin': Buffer.alloc(2_000_000, noise),
  });
}

/** The edition in the changing book's archive, the one served or one by its digest; refuses an archive that is incomplete or mixes two. */
export async function readEdition(url: string, digest: string | null = null): Promise<number> {
  const query = digest === null ? '' : `?edition=${digest}`;
  const answer = await fetch(`${url}/api/install/${CHANGING}${query}`);
  if (answer.status !== 200) throw new Error(`The changing book's archive is ${answer.status}`);
  const tar = Buffer.from(Bun.gunzipSync(await answer.arrayBuffer())).toString('latin1');
  const editions = new Set([...tar.matchAll(/# Edition (\d+)/g)].map(([, edition]) => Number(edition)));
  const [edition = 0] = editions;
  const noise = createHash('sha512').update(String(edition)).digest('hex');
  const isWhole =
    tar.includes(noise.repeat(2_000_000 / 128)) && tar.split('# Edition').length - 1 === CHAPTERS.length;
  if (editions.size !== 1 || !isWhole)
    throw new Error(`The changing book mixes editions ${[...editions].join(', ')}`);
  return edition;
}
