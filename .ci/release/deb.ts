// Makes a Debian package, deb(5): an ar archive of a version, the control files and the data. It is written here, so that it is
// the same bytes on every machine and needs no Debian to be built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { executable, type PackedFile, packTarGz, readable } from './pack.ts';

/** The parts of a package, for one architecture. */
export type DebSource = {
  readonly architecture: string;
  readonly version: string;
  /** The date of the changelog, in ISO 8601. */
  readonly date: string;
  readonly program: Uint8Array;
  readonly license: string;
  readonly licenses: Uint8Array;
  readonly changelog: Uint8Array;
  readonly handbook: readonly PackedFile[];
  readonly manual: string;
  /** The completion script of each shell. */
  readonly completions: Readonly<Record<'bash' | 'zsh' | 'fish', string>>;
};

const MAINTAINER = process.env['BOOKSTALL_MAINTAINER'] ?? 'The Bookstall authors <bookstall@localhost>';

const OVERRIDES = `# Bun appends the program to its runtime, which is linked as Bun's authors do it: stripping would remove the program.
bookstall: unstripped-binary-or-object
bookstall: embedded-library
bookstall: hardening-no-pie
bookstall: hardening-no-relro
# The project has no address: whoever publishes the package names himself in BOOKSTALL_MAINTAINER.
bookstall: bogus-mail-host
bookstall: bogus-mail-host-in-debian-changelog
`;

/** Returns the bytes of a package. */
export function packDeb(source: DebSource): Uint8Array {
  const files = dataFiles(source);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const sums = files.map(
    ({ path, bytes }) => `${new Bun.CryptoHasher('md5').update(bytes).digest('hex')}  ${path}\n`,
  );
  const control = [
    readable('control', controlOf(source, Math.ceil(size / 1024))),
    readable('conffiles', '/etc/bookstall/bookstall.env\n'),
    readable('md5sums', sums.join('')),
    ...['postinst', 'prerm', 'postrm'].map((name) => executable(name, fileOf(name))),
  ];
  return Buffer.concat([
    Buffer.from('!<arch>\n'),
    ...arMember('debian-binary', Buffer.from('2.0\n')),
    ...arMember('control.tar.gz', packTarGz('.', withFolders(control))),
    ...arMember('data.tar.gz', packTarGz('.', withFolders(files, 'var/lib/bookstall/content/'))),
  ]);
}

function controlOf({ architecture, version }: DebSource, kilobytes: number): string {
  return `Package: bookstall
Version: ${version}
Architecture: ${architecture}
Maintainer: ${MAINTAINER}
Installed-Size: ${kilobytes}
Depends: adduser, libc6 (>= 2.17)
Section: web
Priority: optional
Description: self-hosted stall for books and agent skills
 Bookstall sells and gives away books and agent skills from a folder of
 Markdown: to people in the browser and as EPUB, to their agents over HTTP,
 MCP and git, with answers that cite the book. Everything is in one program
 with an embedded database.
`;
}

function dataFiles(source: DebSource) {
  const { version, date, program, license, licenses, changelog, handbook, manual, completions } = source;
  const unit = fileOf('bookstall.service').toString().replace('/usr/local/bin/', '/usr/lib/bookstall/');
  const said = `bookstall (${version}) unstable; urgency=medium\n\n  * See /usr/share/doc/bookstall/NEWS.md.gz.\n\n -- ${MAINTAINER}  ${rfc5322(date)}\n`;
  const share = 'usr/share';
  return [
    readable('etc/bookstall/bookstall.env', fileOf('bookstall.env')),
    executable('usr/bin/bookstall', fileOf('bookstall.sh')),
    executable('usr/lib/bookstall/bookstall', program),
    readable('usr/lib/systemd/system/bookstall.service', unit),
    readable(`${share}/bash-completion/completions/bookstall`, completions.bash),
    readable(`${share}/doc/bookstall/NEWS.md.gz`, gzip(changelog)),
    readable(`${share}/doc/bookstall/changelog.gz`, gzip(said)),
    readable(
      `${share}/doc/bookstall/copyright`,
      `${license}\nThe works in the program: THIRD-PARTY-LICENSES.gz in this folder.\n`,
    ),
    readable(`${share}/doc/bookstall/THIRD-PARTY-LICENSES.gz`, gzip(licenses)),
    readable(`${share}/doc/bookstall/examples/Caddyfile`, fileOf('Caddyfile')),
    ...handbook.map(({ path, bytes }) => readable(`${share}/doc/bookstall/handbook/${path}`, bytes)),
    readable(`${share}/fish/vendor_completions.d/bookstall.fish`, completions.fish),
    readable(`${share}/lintian/overrides/bookstall`, OVERRIDES),
    readable(`${share}/man/man1/bookstall.1.gz`, gzip(manual)),
    readable(`${share}/zsh/vendor-completions/_bookstall`, completions.zsh),
  ];
}

const fileOf = (name: string): Buffer => readFileSync(join(import.meta.dir, 'files', name));
const gzip = (text: string | Uint8Array): Uint8Array => Bun.gzipSync(Buffer.from(text), { level: 9 });

/** Adds the folders of files, and others, before the files, since dpkg does not make them by itself. */
function withFolders(files: readonly PackedFile[], ...others: readonly string[]): readonly PackedFile[] {
  const above = (path: string) => Array.from(path.matchAll(/\//g), ({ index }) => path.slice(0, index + 1));
  const folders = new Set([...files.map(({ path }) => path), ...others].flatMap(above));
  return [...['', ...[...folders].toSorted()].map((path) => executable(path, '')), ...files];
}

function rfc5322(date: string): string {
  return new Date(date).toUTCString().replace('GMT', '+0000');
}

/** Makes a member of an archive, ar(5): a header of fixed columns, and the bytes to an even length. */
function arMember(name: string, bytes: Uint8Array): readonly Uint8Array[] {
  const [time, owner, group, mode] = ['0'.padEnd(12), '0'.padEnd(6), '0'.padEnd(6), '100644'.padEnd(8)];
  const header = `${name.padEnd(16)}${time}${owner}${group}${mode}${String(bytes.length).padEnd(10)}\`\n`;
  return [Buffer.from(header), bytes, Buffer.from(bytes.length % 2 === 0 ? '' : '\n')];
}
