import { createFramedPack, emptyPack, type FramedPack, packStart } from './git/pack.ts';
import type { AgentPrincipal } from '../platform/base/principal.ts';
import type { OpenedArtefact } from '../catalog/artefact-cache.ts';
import { type Edition, listPublished } from '../catalog/catalog.ts';
import {
  advertise,
  answerUpload,
  CAPABILITIES_2,
  type GitDialect,
  listRefs,
  parseUploadRequest,
  uploadError,
  type UploadRequest,
} from './git/upload-response.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { access, may, servedBySlug, listHeld } from '../accounts/access.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { artefactOf } from '../catalog/artefacts.ts';
import { commitOf, folderOf, type Repository, treeOfTexts } from './repositories.ts';
import type { EditionTree, TextFile } from './git/tag-pack.ts';
import type { KnownTag } from '../catalog/version.rule.ts';
import { findEdition } from '../accounts/items.ts';
import type { Stall } from './stall.ts';
import { commitObject, type History } from './git/object.ts';
import { isFree, itemKey } from '../catalog/item.rule.ts';
import { itemPath, plainTitle, writeMarketplace } from '../catalog/marketplace.rule.ts';
import { createTurns, mapInTurns } from '../platform/base/turn.ts';
import { countDownload, refuseEmpty } from '../catalog/counted-download.ts';

export async function advertiseItem(stall: Stall, asker: AgentPrincipal, slug: string, dialect: GitDialect) {
  const edition = open(stall, asker, slug);
  if (dialect === 2) return CAPABILITIES_2;
  const { history } = await stall.repositories.open(edition);
  return advertise({ ...history, tags: listTags(stall, asker, edition) }, dialect);
}

/**
 * Answers a git client's request for an item's objects. Refuses unauthenticated, not-found, access-denied, no-content,
 * tarball-failed and storage-unavailable.
 */
export async function uploadItem(
  stall: Stall,
  asker: AgentPrincipal,
  { slug, body, dialect }: { readonly slug: string; readonly body: Uint8Array; readonly dialect: GitDialect },
) {
  const edition = open(stall, asker, slug);
  const repository = await stall.repositories.open(edition);
  const tags = listTags(stall, asker, edition);
  const { lines, pack } = answerRequest(body, dialect, { ...repository.history, tags });
  if (pack === null || pack.length === 0) return { start: toBytes(lines, pack !== null), pack: null };
  const isTip = pack.length === 1 && pack[0] === repository.history.tip;
  const found = isTip
    ? { editions: [edition], pack: repository.pack, body: await openPack(stall, edition) }
    : await gather(stall, asker, {
        edition,
        repository,
        tags: tagsFor(pack, tags),
        pack,
      });
  const bytes = found.pack.length;
  const count = () =>
    countDownload(stall, { principal: asker, edition: found.editions[0]!, door: 'git', bytes });
  return { start: toBytes(lines), pack: { ...found, count } };
}

const openPack = ({ artefacts }: Stall, edition: Edition): OpenedArtefact | Promise<OpenedArtefact> =>
  artefacts.peek(artefactOf(edition, 'pack')) ?? artefacts.open(edition, 'pack');

/** Lists the git tags of the versions that the asker may take. The asker is known to be allowed the served edition. */
function listTags(stall: Stall, asker: AgentPrincipal, edition: Edition): readonly KnownTag[] {
  const { manifest } = edition;
  const tags = stall.store.listTags(manifest.kind, itemKey(manifest), manifest.slug);
  const takesAll = may(stall, asker, { edition: { ...edition, wasFree: false }, action: 'take' });
  return takesAll ? tags : tags.filter(({ wasFree }) => wasFree === 1);
}

/**
 * Picks the tags whose objects are sent: if several are wanted, all from the first wanted one on. Otherwise each set of
 * tags would need a pack of its own, and anybody could ask for all of them.
 */
function tagsFor(wanted: readonly string[], tags: readonly KnownTag[]): readonly KnownTag[] {
  const found = tags.filter(({ id }) => wanted.includes(id));
  return found.length < 2 ? found : tags.slice(tags.indexOf(found[0]!));
}

type Wanted = {
  readonly edition: Edition;
  readonly repository: Repository;
  readonly tags: readonly KnownTag[];
  readonly pack: readonly string[];
};

/**
 * Gathers the objects of tags and, if it is wanted, of the tip (the newest commit). If all have the tip's files, uses the
 * tip's pack.
 */
async function gather(stall: Stall, asker: AgentPrincipal, { edition, repository, tags, pack }: Wanted) {
  const { history, tree } = repository;
  const hasTip = pack.includes(history.tip);
  const found = await mapInTurns(tags, async (tag) => openTag(stall, asker, edition, tag));
  const editions = [...(hasTip ? [edition] : []), ...found.map((one) => one.edition)];
  const commits = [...(hasTip ? repository.commits : []), ...tags.map(({ body }) => commitOf(body))];
  const others = new Map(found.map((one) => [one.tree.id, one.tree]));
  if (others.size === 1 && others.has(tree.root)) {
    const artefact = artefactOf(edition, 'pack');
    const start = packStart([...commits, ...tree.objects], artefact.content?.objects ?? 0);
    return { editions, pack: createFramedPack(start, artefact.size), body: await openPack(stall, edition) };
  }
  if (hasTip) others.set(tree.root, await treeOf(stall, edition, { id: tree.root, texts: repository.texts }));
  const { artefact, body } = await stall.tagPacks.open([...others.values()]);
  const start = packStart(commits, artefact.content?.objects ?? 0);
  return { editions, pack: createFramedPack(start, artefact.size), body };
}

/** Finds a tag's edition and file tree. Refuses what `findEdition` refuses, and an edition that the asker may not take. */
async function openTag(stall: Stall, asker: AgentPrincipal, served: Edition, tag: KnownTag) {
  const { edition, body } = await findEdition(stall, served, `sha256:${tag.digest}`);
  access(stall, asker, { edition, action: 'take' });
  const id = /^tree ([0-9a-f]{40})/.exec(tag.body)?.[1] ?? '';
  const texts = JSON.parse(tag.texts) as readonly TextFile[];
  return { edition, tree: await treeOf(stall, served, { id, texts, body }) };
}

async function treeOf(
  { artefacts }: Stall,
  served: Edition,
  { id, texts, body }: Pick<EditionTree, 'id' | 'texts'> & { readonly body?: OpenedArtefact | null },
): Promise<EditionTree> {
  const { file } = body ?? (await artefacts.open(served, 'tar'));
  const { manifest } = served;
  return { id, tar: file, folder: folderOf(manifest), isBook: manifest.kind === 'book', texts };
}

/**
 * The pack (git's file of objects) that answers a request, the file with its bytes, and the editions whose files it has.
 * `count` logs the download.
 */
export type UploadPack = {
  readonly editions: readonly Edition[];
  readonly pack: FramedPack;
  readonly body: OpenedArtefact;
  readonly count: () => void;
};

/**
 * Finds an item to clone. Without a credential, refuses an unknown item with 401, not 404: git sends its credential only
 * after a 401.
 */
function open(stall: Stall, asker: AgentPrincipal, slug: string): Edition {
  try {
    const edition = servedBySlug(stall, asker, slug);
    access(stall, asker, { edition, action: 'take' });
    refuseEmpty(edition);
    return edition;
  } catch (error) {
    const isHidden = error instanceof Refusal && error.kind === 'not-found';
    if (asker.kind !== 'anonymous' || !isHidden) throw error;
    throw unauthenticated(`Cannot take "${slug.slice(0, 80)}"`, asker.complaint);
  }
}

/** Answers from a repository's history. A malformed request, or one for a missing object, gets an error that git prints. */
function answerRequest(body: Uint8Array, dialect: GitDialect, history: History) {
  try {
    const request: UploadRequest = parseUploadRequest(body, dialect);
    return request.asks === 'refs'
      ? { lines: listRefs(history), pack: null }
      : answerUpload(request, history);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { lines: uploadError(error.message), pack: null };
  }
}

const toBytes = (lines: string, isEmptyPack = false): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([Buffer.from(lines), ...(isEmptyPack ? [emptyPack()] : [])]));

const MOST_ON_SHELF = 1000;

export const marketplace = async (stall: Stall, asker: AgentPrincipal, token?: string): Promise<string> =>
  write(stall, await list(stall, asker), token);

/** Answers a git client's first request for the marketplace. Refuses anonymous clients, so that git sends its credential. */
export async function advertiseShelf(
  stall: Stall,
  asker: AgentPrincipal,
  token: string | undefined,
  dialect: GitDialect,
): Promise<string> {
  const { history } = await openShelf(stall, asker, token);
  return advertise(history, dialect);
}

export async function uploadShelf(
  stall: Stall,
  asker: AgentPrincipal,
  {
    token,
    body,
    dialect,
  }: { readonly token: string | undefined; readonly body: Uint8Array; readonly dialect: GitDialect },
) {
  const repository = await openShelf(stall, asker, token);
  const { lines, pack } = answerRequest(body, dialect, repository.history);
  if (pack === null || pack.length === 0) return { start: toBytes(lines, pack !== null), pack: null };
  const parts = [toBytes(lines), repository.pack.head, repository.pack.hash().end()];
  return { start: new Uint8Array(Buffer.concat(parts)), pack: null };
}

/** Lists up to `MOST_ON_SHELF` items that have files: those that the asker holds, then free ones. */
async function list(stall: Stall, asker: AgentPrincipal): Promise<readonly Edition[]> {
  const items = new Set(listHeld(stall, asker));
  const takeTurns = createTurns();
  for (const edition of listPublished(stall.catalog())) {
    if (items.size >= MOST_ON_SHELF) break;
    if (isFree(edition.manifest) && may(stall, asker, { edition, action: 'take' })) items.add(edition);
    await takeTurns();
  }
  return [...items].filter(({ files }) => files.length > 0).slice(0, MOST_ON_SHELF);
}

const write = ({ manifest, origin }: Stall, items: readonly Edition[], token: string | undefined): string =>
  writeMarketplace({
    stall: manifest().name,
    origin: origin(),
    base: token === undefined ? origin() : `${origin()}/i/${token}`,
    items: items.map((item) => item.manifest),
  });

/**
 * Makes the marketplace's git repository. Its only commit has no parent and the time 0, so that no trace is left of revoked
 * items.
 */
async function openShelf(stall: Stall, asker: AgentPrincipal, token: string | undefined) {
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
  return { history: { tip: commit.id, joints: [], tags: [] }, pack };
}

function writeReadme(stall: string, origin: string, items: readonly Edition[]): string {
  const lines = items.map(({ manifest }) => {
    const title = plainTitle(manifest.title) || manifest.slug;
    return `- [${title}](${origin}${itemPath(manifest)}): \`${manifest.slug}\``;
  });
  return `# ${plainTitle(stall)}\n\nWhat this account may take from ${origin}:\n\n${lines.join('\n')}\n`;
}
