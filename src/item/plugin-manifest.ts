// .claude-plugin/plugin.json: https://code.claude.com/docs/en/plugins-reference
import type { Manifest } from './item.ts';
import { cutTitle, plainTitle } from './skill-title.ts';

const LONGEST = 1024;

/** The path of an item's page at its stall. */
export function itemPath({ kind, slug }: Pick<Manifest, 'kind' | 'slug'>): string {
  return `/${kind}s/${slug}`;
}

/** The facts about an item in plugins and marketplaces. `origin` is where readers reach the stall. */
export function describePlugin(manifest: Manifest, origin: string) {
  const { slug, title, description, publisher, license } = manifest;
  return {
    name: slug,
    description: cutTitle(plainTitle(description) || plainTitle(title) || slug, LONGEST),
    author: { name: plainTitle(publisher) || slug },
    ...(license === null ? {} : { license: plainTitle(license) }),
    homepage: `${origin}${itemPath(manifest)}`,
  };
}

/** plugin.json of an item. It names no version, so that Claude Code goes by the commit. */
export function writePluginManifest(manifest: Manifest, origin: string): string {
  return `${JSON.stringify(describePlugin(manifest, origin), null, 2)}\n`;
}
