import type { AgentPrincipal } from '../../access/principal.ts';
import { listPublished } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { advertise } from '../../git/advertisement.ts';
import { createFramedPack } from '../../git/framed-pack.ts';
import { commitObject } from '../../git/object.ts';
import { packStart } from '../../git/pack.ts';
import type { Dialect } from '../../git/upload-request.ts';
import { isFree } from '../../item/item.ts';
import { writeMarketplace } from '../../item/marketplace.ts';
import { itemPath } from '../../item/plugin-manifest.ts';
import { plainTitle } from '../../item/skill-title.ts';
import { createTurns } from '../../turn.ts';
import { mayTake, unauthenticated } from '../access.ts';
import { listTakeable } from '../holdings.ts';
import type { Stall } from '../stall.ts';
import { answerRequest, toBytes, type Upload } from './git.ts';
import { treeOfTexts } from './plugin-tree.ts';
import type { Repository } from './repositories.ts';

/** The most entries of a shelf. */
const MOST = 1000;

/** Everything that a principal may take, as a marketplace of plugins; `token` is the install token in the path, if there is one. */
export function createShelf(stall: Stall) {
  const { catalog, origin } = stall;
  const stallName = (): string => stall.manifest().name;
  /** The items that the principal holds, then the free items, by slug. */
  const list = async (asker: AgentPrincipal): Promise<readonly Edition[]> => {
    const items = new Set(await listTakeable(stall, asker));
    const takeTurns = createTurns();
    for (const edition of listPublished(catalog())) {
      if (items.size >= MOST) break;
      if (isFree(edition.manifest) && (await mayTake(stall, asker, edition))) items.add(edition);
      await takeTurns();
    }
    return [...items].filter(({ files }) => files.length > 0).slice(0, MOST);
  };

  const write = (items: readonly Edition[], token: string | undefined): string =>
    writeMarketplace({
      stall: stallName(),
      origin: origin(),
      base: token === undefined ? origin() : `${origin()}/i/${token}`,
      items: items.map(({ manifest }) => manifest),
    });

  /** One commit without a parent or a time, so that a revoked item leaves no trace. */
  const open = async (asker: AgentPrincipal, token: string | undefined): Promise<Repository> => {
    if (asker.kind === 'anonymous') throw unauthenticated('Cannot take a shelf', asker.complaint);
    const items = await list(asker);
    const tree = treeOfTexts([
      ['.claude-plugin/marketplace.json', write(items, token)],
      ['README.md', writeReadme(stallName(), origin(), items)],
    ]);
    const commit = commitObject({
      tree: tree.root,
      parents: [],
      name: stallName(),
      email: `stall@${new URL(origin()).host}`,
      at: 0,
      message: 'What this account may take',
    });
    const pack = createFramedPack(packStart([commit, ...tree.objects], 0), 0);
    return { history: { tip: commit.id, joints: [] }, pack };
  };

  return {
    /** The marketplace as JSON; anonymous clients get the free items. */
    async marketplace(asker: AgentPrincipal, token?: string): Promise<string> {
      return write(await list(asker), token);
    },
    /** The answer to a client's first request. Refuses anonymous clients, so that git sends its credential. */
    async advertise(asker: AgentPrincipal, token: string | undefined, dialect: Dialect): Promise<string> {
      const { history } = await open(asker, token);
      return advertise(history, dialect);
    },
    /** The answer to a body sent to git-upload-pack. */
    async upload(
      asker: AgentPrincipal,
      token: string | undefined,
      body: Uint8Array,
      dialect: Dialect,
    ): Promise<Upload> {
      const repository = await open(asker, token);
      const { lines, pack } = answerRequest(body, dialect, repository);
      if (pack !== 'whole') return { start: toBytes(lines, pack === 'empty'), pack: null };
      const parts = [toBytes(lines), repository.pack.head, repository.pack.hash().end()];
      return { start: new Uint8Array(Buffer.concat(parts)), pack: null };
    },
  };
}

function writeReadme(stall: string, origin: string, items: readonly Edition[]): string {
  const lines = items.map(({ manifest }) => {
    const title = plainTitle(manifest.title) || manifest.slug;
    return `- [${title}](${origin}${itemPath(manifest)}): \`${manifest.slug}\``;
  });
  return `# ${plainTitle(stall)}\n\nWhat this account may take from ${origin}:\n\n${lines.join('\n')}\n`;
}
