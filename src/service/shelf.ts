import type { AgentPrincipal } from '../access/principal.ts';
import { listPublished } from '../catalog/catalog.ts';
import type { Edition } from '../catalog/edition.ts';
import { advertise } from '../git/advertisement.ts';
import { createFramedPack } from '../git/framed-pack.ts';
import { commitObject } from '../git/object.ts';
import { packStart } from '../git/pack.ts';
import type { Dialect } from '../git/upload-request.ts';
import { isFree } from '../item/item.ts';
import { writeMarketplace } from '../item/marketplace.ts';
import { itemPath } from '../item/plugin-manifest.ts';
import { plainTitle } from '../item/skill-title.ts';
import { createTurns } from '../turn.ts';
import { type AccessTo, mayTake, unauthenticated } from './access.ts';
import { listTakeable } from './holdings.ts';
import type { Stall } from './stall.ts';
import { answerRequest, toBytes, type Upload } from './git.ts';
import { type Repository, treeOfTexts } from './repositories.ts';

/** The most entries of a shelf. */
const MOST = 1000;

type Part = AccessTo & Pick<Stall, 'store' | 'origin'>;

/** Everything that a principal may take, as a marketplace of plugins; `token` is the install token in the path, if there is one. */
export async function marketplace(stall: Part, asker: AgentPrincipal, token?: string): Promise<string> {
  return write(stall, await list(stall, asker), token);
}

/** The answer to a client's first request for the same as a repository. Refuses anonymous clients, so that git sends its credential. */
export async function advertiseShelf(
  stall: Part,
  asker: AgentPrincipal,
  token: string | undefined,
  dialect: Dialect,
): Promise<string> {
  const { history } = await open(stall, asker, token);
  return advertise(history, dialect);
}

/** The answer to a body sent to that repository's git-upload-pack. */
export async function uploadShelf(
  stall: Part,
  asker: AgentPrincipal,
  token: string | undefined,
  body: Uint8Array,
  dialect: Dialect,
): Promise<Upload> {
  const repository = await open(stall, asker, token);
  const { lines, pack } = answerRequest(body, dialect, repository);
  if (pack !== 'whole') return { start: toBytes(lines, pack === 'empty'), pack: null };
  const parts = [toBytes(lines), repository.pack.head, repository.pack.hash().end()];
  return { start: new Uint8Array(Buffer.concat(parts)), pack: null };
}

/** The items that the principal holds, then the free items, by slug. */
async function list(stall: Part, asker: AgentPrincipal): Promise<readonly Edition[]> {
  const items = new Set(await listTakeable(stall, asker));
  const takeTurns = createTurns();
  for (const edition of listPublished(stall.catalog())) {
    if (items.size >= MOST) break;
    if (isFree(edition.manifest) && (await mayTake(stall, asker, edition))) items.add(edition);
    await takeTurns();
  }
  return [...items].filter(({ files }) => files.length > 0).slice(0, MOST);
}

function write({ manifest, origin }: Part, items: readonly Edition[], token: string | undefined): string {
  return writeMarketplace({
    stall: manifest().name,
    origin: origin(),
    base: token === undefined ? origin() : `${origin()}/i/${token}`,
    items: items.map((item) => item.manifest),
  });
}

/** One commit without a parent or a time, so that a revoked item leaves no trace. */
async function open(stall: Part, asker: AgentPrincipal, token: string | undefined): Promise<Repository> {
  if (asker.kind === 'anonymous') throw unauthenticated('Cannot take a shelf', asker.complaint);
  const items = await list(stall, asker);
  const [name, origin] = [stall.manifest().name, stall.origin()];
  const tree = treeOfTexts([
    ['.claude-plugin/marketplace.json', write(stall, items, token)],
    ['README.md', writeReadme(name, origin, items)],
  ]);
  const commit = commitObject({
    tree: tree.root,
    parents: [],
    name,
    email: `stall@${new URL(origin).host}`,
    at: 0,
    message: 'What this account may take',
  });
  const pack = createFramedPack(packStart([commit, ...tree.objects], 0), 0);
  return { history: { tip: commit.id, joints: [] }, pack };
}

function writeReadme(stall: string, origin: string, items: readonly Edition[]): string {
  const lines = items.map(({ manifest }) => {
    const title = plainTitle(manifest.title) || manifest.slug;
    return `- [${title}](${origin}${itemPath(manifest)}): \`${manifest.slug}\``;
  });
  return `# ${plainTitle(stall)}\n\nWhat this account may take from ${origin}:\n\n${lines.join('\n')}\n`;
}
