import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FONTS } from '../build.ts';
import { DICTIONARY } from '../related-words.ts';

const MODULES = join(import.meta.dir, '../../node_modules');

/** Returns the npm packages of which a build contains files, sorted. Its metafile names neither the fonts nor WordNet. */
export function bundledPackages(metafile: {
  readonly inputs: Readonly<Record<string, unknown>>;
}): readonly string[] {
  const names = [...Object.keys(metafile.inputs), ...FONTS, `${DICTIONARY}/`].flatMap((path) =>
    [...path.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].slice(-1).map(([, name = '']) => name),
  );
  return [...new Set(names)].toSorted();
}

/**
 * Returns the licence text of a package in `node_modules`, or that of MIT or ISC if the package only names one of them. Throws
 * for others without a text.
 */
export function licenseText(name: string): string {
  const folder = join(MODULES, name);
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)([-.]|$)/i.test(one));
  if (file === undefined) {
    const { license, author: written } = packageOf(name);
    const author =
      typeof written === 'object' && written !== null && 'name' in written ? written.name : written;
    if (license === 'MIT' && typeof author === 'string') return mitText(author);
    if (license === 'ISC' && typeof author === 'string') return iscText(author);
    throw new Error(`Cannot find the licence text of "${name}": add it, or leave the package`);
  }
  return readFileSync(join(folder, file), 'utf8').trim();
}

/** Returns the contents of THIRD-PARTY-LICENSES: each package's text, and Bun's page about itself and its linked libraries. */
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

/** Returns the text of https://spdx.org/licenses/MIT.html, which our own licence has too, with another name. */
function mitText(author: string): string {
  const own = readFileSync(join(import.meta.dir, '../../LICENSE'), 'utf8');
  return own.replace(/^Copyright .*$/m, `Copyright (c) ${author}`).trim();
}

/** Returns the text of https://spdx.org/licenses/ISC.html. */
function iscText(author: string): string {
  return `ISC License

Copyright (c) ${author}

Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted,
provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF
CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;
}

/** Returns Bun's page about licences from the documentation of this version, without its front matter. */
function bunNotice(): string {
  const page = readFileSync(join(MODULES, 'bun-types/docs/project/license.mdx'), 'utf8');
  return page
    .replace(/^---\n.*?\n---\n/s, '')
    .replace(/ {2,}/g, ' ')
    .replace(/-{4,}/g, '---')
    .trim();
}
