// .claude-plugin/marketplace.json: https://code.claude.com/docs/en/plugin-marketplaces
import { needsOf } from './need.rule.ts';
import type { Manifest } from './item.rule.ts';

/**
 * A plugin marketplace of items, whose git repositories are below the address `base`: the stall's origin, or a link with an
 * install token.
 */
type Marketplace = {
  readonly stall: string;
  readonly origin: string;
  readonly base: string;
  readonly items: readonly Manifest[];
};

/** Matches names that Claude Code reserves for marketplaces by Anthropic, or that it takes for an imitation of one. */
const RESERVED =
  /anthropic|claude|^agent-skills$|^life-sciences$|^inline$|^builtin$|^knowledge-work-plugins$/;

/**
 * Writes marketplace.json. Each plugin comes from its own git repository, so that it is fetched, and counted, only when
 * it is installed.
 */
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

/**
 * Returns a marketplace's name: the stall's host in kebab case, with `-link` added for a link, since Claude Code refuses
 * two sources of the same name.
 */
export function marketplaceName(origin: string, isLink: boolean): string {
  const host = hostOf(origin)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${RESERVED.test(host) ? 'stall-' : ''}${host}${isLink ? '-link' : ''}`;
}

/**
 * Returns the name of the shell variable for a stall's key: `BOOKSTALL_KEY_` and the host in capitals. Each kind of
 * other character becomes a different number of underscores, so that no two hosts share a variable.
 */
export function keyVariable(origin: string): string {
  const host = hostOf(origin).toUpperCase();
  return `BOOKSTALL_KEY_${host.replace(/[^A-Z0-9]/g, (sign) => UNDERSCORES[sign] ?? '_____')}`;
}

const UNDERSCORES: Readonly<Record<string, string>> = { '.': '_', '-': '__', ':': '___' };

const hostOf = (origin: string): string => new URL(origin).host;

// .claude-plugin/plugin.json: https://code.claude.com/docs/en/plugins-reference

const LONGEST_DESCRIPTION = 1024;

export const itemPath = ({ kind, slug }: Pick<Manifest, 'kind' | 'slug'>): string => `/${kind}s/${slug}`;

function describePlugin(manifest: Manifest, origin: string) {
  const { slug, title, description, publisher, license } = manifest;
  return {
    name: slug,
    description: cutTitle(plainTitle(description) || plainTitle(title) || slug, LONGEST_DESCRIPTION),
    author: { name: plainTitle(publisher) || slug },
    ...(license === null ? {} : { license: plainTitle(license) }),
    homepage: `${origin}${itemPath(manifest)}`,
  };
}

/**
 * Writes an item's plugin.json, with its needs as plugins of the same marketplace. `version` is null unless it means these
 * files for good: without a version, Claude Code recognises a new edition by its commit.
 */
export function writePluginManifest(manifest: Manifest, origin: string, version: string | null): string {
  // Needs with a range come first: Claude Code installs in this order, and keeps the first edition of an item that it installs.
  const needs = needsOf(manifest).toSorted((one, other) => Number(!one.range) - Number(!other.range));
  const dependencies = needs.map(({ slug, range }) =>
    range === null ? slug : { name: slug, version: range },
  );
  const plugin = {
    ...describePlugin(manifest, origin),
    ...(version === null ? {} : { version }),
    ...(dependencies.length === 0 ? {} : { dependencies }),
  };
  return `${JSON.stringify(plugin, null, 2)}\n`;
}

/**
 * The characters that are removed from titles of skills: controls, bidirectional and invisible characters, and those
 * that YAML 1.2 §5.1 forbids.
 */
const INVISIBLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]|(?![\u200C\u200D])\p{Cf}/gu;
const MARKUP = /[<>[\]|$`]/g;
/**
 * Matches backslashes and blanks at the end of a title: a last backslash would escape the bracket that closes a link's
 * text.
 */
const LAST_ESCAPE = /(?<![\s\\])[\s\\]+$/;

/**
 * Returns a publisher's text as one line that is safe for an agent: without control and invisible characters and without
 * markup.
 */
export function plainTitle(text: string): string {
  const line = text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replace(MARKUP, '').replace(/ {2,}/g, ' ');
  return line.replace(LAST_ESCAPE, '').trim();
}

export function cutTitle(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text
    .slice(0, most - 1)
    .toWellFormed()
    .replace(/\uFFFD$/, '');
  const space = cut.lastIndexOf(' ');
  return `${cut.slice(0, space > most / 2 ? space : undefined).trimEnd()}…`;
}

export function linkTarget(path: string): string {
  if (/^[\p{L}\p{N}/._-]+$/u.test(path)) return path;
  return `<${path.replace(/[<>[\]|$`%\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => encodeURIComponent(character))}>`;
}
