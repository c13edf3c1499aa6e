// .claude-plugin/marketplace.json: https://code.claude.com/docs/en/plugin-marketplaces
import type { Manifest } from './item.ts';
import { describePlugin } from './plugin-manifest.ts';
import { plainTitle } from './skill-title.ts';

/** A marketplace of items. `base` is where their repositories lie, with an install token if it came by one. */
type Marketplace = {
  readonly stall: string;
  readonly origin: string;
  readonly base: string;
  readonly items: readonly Manifest[];
};

/** Names that Claude Code keeps for marketplaces of its makers, or takes for an imitation of one. */
const RESERVED =
  /anthropic|claude|^agent-skills$|^life-sciences$|^inline$|^builtin$|^knowledge-work-plugins$/;

/** The marketplace as JSON. A plugin's source is its repository, so that it is fetched and counted when it is installed. */
export function writeMarketplace({ stall, origin, base, items }: Marketplace): string {
  const isLink = base !== origin;
  const name = plainTitle(stall) || hostOf(origin);
  const marketplace = {
    name: marketplaceName(origin, isLink),
    owner: { name },
    metadata: { description: `Books and skills from ${name}${isLink ? ', by an install link' : ''}` },
    plugins: items.map((manifest) => ({
      ...describePlugin(manifest, origin),
      source: { source: 'url', url: `${base}/git/${manifest.slug}.git` },
    })),
  };
  return `${JSON.stringify(marketplace, null, 2)}\n`;
}

/** The stall's host in kebab case; with `-link` for a link, since Claude Code refuses one name from two sources. */
export function marketplaceName(origin: string, isLink: boolean): string {
  const host = hostOf(origin)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${RESERVED.test(host) ? 'stall-' : ''}${host}${isLink ? '-link' : ''}`;
}

/** The shell's variable for a stall's key, one for each host: `BOOKSTALL_KEY_` and the host in capitals, each sign as underscores. */
export function keyVariable(origin: string): string {
  const host = hostOf(origin).toUpperCase();
  return `BOOKSTALL_KEY_${host.replace(/[^A-Z0-9]/g, (sign) => UNDERSCORES[sign] ?? '_____')}`;
}

const UNDERSCORES: Readonly<Record<string, string>> = { '.': '_', '-': '__', ':': '___' };

const hostOf = (origin: string): string => new URL(origin).host;
