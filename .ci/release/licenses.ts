import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dir, '../../node_modules');

/** The npm packages whose files a build contains, sorted, from its metafile. */
export function bundledPackages(metafile: {
  readonly inputs: Readonly<Record<string, unknown>>;
}): readonly string[] {
  const names = Object.keys(metafile.inputs).flatMap((path) =>
    [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].slice(-1).map(([, name = '']) => name),
  );
  return [...new Set(names)].toSorted();
}

/** The licence text of a package in `node_modules`, or MIT's text if it only names that licence. Refuses others without a text. */
export function licenseText(name: string): string {
  const folder = join(MODULES, name);
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)([-.]|$)/i.test(one));
  if (file === undefined) {
    const { license, author } = packageOf(name);
    if (license === 'MIT' && typeof author === 'string') return mitText(author);
    throw new Error(`Cannot find the licence text of "${name}": add it, or leave the package`);
  }
  return readFileSync(join(folder, file), 'utf8').trim();
}

/** The contents of THIRD-PARTY-LICENSES: each package's text, and Bun's page about itself and its linked libraries. */
export function thirdPartyLicenses(packages: readonly string[]): string {
  const sections = packages.map((name) => section(`${name} ${versionOf(name)}`, licenseText(name)));
  return `${INTRODUCTION}\n${sections.join('')}${section(`Bun ${versionOf('bun')}`, bunNotice())}`;
}

const INTRODUCTION = `Bookstall is under the MIT license; see LICENSE. The program also contains the works below, each under its own terms:
the npm packages that are bundled into it, then the Bun runtime with SQLite, JavaScriptCore and what else is linked into it.
`;

function section(title: string, text: string): string {
  return `\n${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`;
}

function versionOf(name: string): string {
  return packageOf(name).version;
}

type Package = { readonly version: string; readonly license?: string; readonly author?: unknown };

function packageOf(name: string): Package {
  return JSON.parse(readFileSync(join(MODULES, name, 'package.json'), 'utf8')) as Package;
}

/** The text of https://spdx.org/licenses/MIT.html, which our own licence is too, with another name. */
function mitText(author: string): string {
  const own = readFileSync(join(import.meta.dir, '../../LICENSE'), 'utf8');
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${author}`).trim();
}

/** Bun's own page about licences from the documentation of this version, without its front matter. */
function bunNotice(): string {
  const page = readFileSync(join(MODULES, 'bun-types/docs/project/license.mdx'), 'utf8');
  return page
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/ {2,}/g, ' ')
    .replace(/-{4,}/g, '---')
    .trim();
}
