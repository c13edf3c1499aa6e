// Makes the folder of a release a static site: its page has the lines for each system that it has files for.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../package.json';

export type Release = ReturnType<typeof openRelease>;

/** Empties a folder for the files of a release. `finish` writes its page, and SHA256SUMS over all, which it returns. */
export function openRelease(directory: string) {
  rmSync(directory, { recursive: true, force: true });
  const listed: Listed[] = [];
  const add = (path: string, bytes: Uint8Array): void => {
    const file = join(directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
    listed.push({ path, size: bytes.length, sha256 });
  };
  return {
    add,
    finish(): string {
      add('index.html', Buffer.from(pageOf(listed)));
      const sums = listed.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
      writeFileSync(join(directory, 'SHA256SUMS'), sums);
      return sums;
    },
  };
}

/** A file of the folder: its path in it, its size in bytes and its SHA-256 in hex. */
type Listed = { readonly path: string; readonly size: number; readonly sha256: string };

const CURL = 'curl -fsSL';
const DEB = `bookstall_${version}_$(dpkg --print-architecture).deb`;

/** The ways to get the program: the ending of a file that each needs, its title, a sentence about it, and its lines. */
const WAYS: readonly (readonly [needs: string, title: string, about: string, ...lines: string[]])[] = [
  [
    '.deb',
    'Debian and Ubuntu',
    'A service that starts at boot, with a user of its own. The last line shows the link that makes you its owner.',
    // One command, since apt would read the lines after it. A damaged file is not installed.
    `curl -fsSLO "$BASE/${DEB}" &&`,
    `${CURL} "$BASE/SHA256SUMS" | sha256sum -c --ignore-missing &&`,
    `sudo apt-get install -y "./${DEB}" &&`,
    'sudo cat /var/lib/bookstall/data/setup-url',
  ],
  [
    '.tar.gz',
    'Any Linux, and macOS',
    'The program alone, into ~/.local/bin; nothing needs root. Another directory: put “-s -- --prefix DIR” after “sh”.',
    `${CURL} "$BASE/install.sh" | BASE="$BASE" sh`,
    'bookstall init my-stall && cd my-stall && bookstall serve',
  ],
  [
    'linux-x64.tar.gz',
    'Docker',
    'An image of the program, made by the Dockerfile in its archive.',
    `${CURL} "$BASE/bookstall-${version}-linux-x64.tar.gz" | tar -xz`,
    `docker build -t bookstall bookstall-${version}-linux-x64`,
  ],
  [
    `linux-x64-${version}.tgz`,
    'npm',
    'With Node 20 or newer. Name the package of your platform in place of linux-x64.',
    `npm install --global "$BASE/npm/bookstall-${version}.tgz" "$BASE/npm/bookstall-linux-x64-${version}.tgz"`,
  ],
  [
    'windows-x64.zip',
    'Windows',
    'In PowerShell.',
    `curl.exe -fsSLO "$BASE/bookstall-${version}-windows-x64.zip"`,
    `tar -xf bookstall-${version}-windows-x64.zip`,
    `.\\bookstall-${version}-windows-x64\\bookstall.exe --version`,
  ],
];

/** Writes index.html, which needs no other file and works in any folder: a script puts its address in place of $BASE. */
function pageOf(files: readonly Listed[]): string {
  const ways = WAYS.filter(([needs]) => files.some(({ path }) => path.endsWith(needs)));
  const sections = ways.map(
    ([, title, about, ...lines]) =>
      `<section><h2>${title}</h2><p>${about}</p><pre tabindex="0"><code>${lines.map(escape).join('\n')}</code></pre></section>\n`,
  );
  const rows = files.map(
    ({ path, size, sha256 }) =>
      `<tr><td><a href="${path}">${path}</a><td>${sizeOf(size)}<td><code>${sha256}</code></tr>\n`,
  );
  return PAGE.replace('SECTIONS', () => sections.join('')).replace('ROWS', () => rows.join(''));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1000)} KB` : `${Math.round(bytes / 1e6)} MB`;
}

/** The style sheet with colour, type and space of every page of a stall. */
const tokens = readFileSync(join(import.meta.dir, '../../src/platform/site/style/tokens.css'), 'utf8');

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Bookstall ${version}</title>
<style>
${tokens}body { margin: 0; background: var(--paper); color: var(--ink); font: var(--text)/1.6 Literata, Georgia, serif; }
body::before { content: ''; display: block; height: 6px; background: repeating-linear-gradient(90deg, var(--awning) 0 14px, var(--sunk) 14px 28px); }
main { max-width: var(--code-column); margin: 0 auto; padding: 32px var(--gutter) 64px; }
h1, h2 { line-height: 1.2; }
h1 { font-size: var(--display); }
h2 { font-size: var(--large); margin: 48px 0 0; }
p { max-width: var(--measure); }
a { color: var(--link); }
pre, code, table { font: var(--small)/1.6 'Source Code Pro', ui-monospace, Menlo, monospace; }
pre { overflow-x: auto; padding: 12px 16px; border: 1px solid var(--line); border-radius: var(--round); background: var(--sunk); }
.files { overflow-x: auto; }
table { border-collapse: collapse; }
td { padding: 4px 16px 4px 0; border-bottom: 1px solid var(--line); white-space: nowrap; }
td code { color: var(--quiet); }
</style>
<main>
<h1>Bookstall ${version}</h1>
<p>A stall of your own for books and agent skills: one program, on your own machine. Copy the lines for your system into a shell.</p>
<p id="base">First put the address of this page, without “/index.html”, into BASE: <code>BASE=https://…</code></p>
SECTIONS<section>
<h2>All files</h2>
<p>The sums are also in <a href="SHA256SUMS">SHA256SUMS</a>. They show that a file is undamaged, not who made it. A release can be built again from its commit with “npm run release”, and has the same bytes.</p>
<div class="files"><table>
ROWS</table></div>
</section>
</main>
<script>
document.querySelector('#base').remove();
// Nothing in it may mean something to a shell.
const base = new URL('.', location.href).href.replace(/\\/$/, '').replaceAll('$', '%24').replaceAll('!', '%21');
for (const code of document.querySelectorAll('pre code')) code.textContent = code.textContent.replaceAll('$BASE', base);
</script>
</html>
`;
