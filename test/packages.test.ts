import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { addCommon, addPlatform, packDebOf } from '../.ci/release/platform.ts';
import { openRelease } from '../.ci/release/site.ts';
import { TARGETS } from '../.ci/release/target.ts';
import { version } from '../package.json';
import { buildImage, ownersOf } from './binary/image.ts';
import { isRoot } from './binary/ordinary-user.ts';
import { run, serve, stallDirectory } from './binary/program.ts';
import { SHELF, temporaryDirectory, writeFiles } from './helpers/harness.ts';

const PROJECT = join(import.meta.dir, '..');
const TARGET = TARGETS.find(({ name }) => name === `linux-${process.arch}`)!;

const built = temporaryDirectory();
const release = join(built, 'release');
const deb = join(release, `bookstall_${version}_${TARGET.deb}.deb`);
const before = join(built, 'before.deb');
/** A Debian with nothing on it. */
const root = join(built, 'debian');
/** Everything that the package and its commands say to systemd. */
const calls = join(root, 'calls');

type Where = { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> };

/** The output of a program, which must succeed. */
async function succeed(command: readonly string[], where: Where = {}): Promise<string> {
  const { code, out, err } = await run(command, { ...where, program: [] });
  if (code !== 0) throw new Error(`"${command.join(' ')}" ended with ${code}: ${err}${out}`);
  return out;
}

/** How a program is started in the Debian, which needs /proc; the mount is gone with it. */
function inside(user: string): readonly string[] {
  const mount = 'mount --bind /proc "$0/proc" && exec chroot "$@"';
  return ['unshare', '--mount', 'sh', '-c', mount, root, `--userspec=${user}`, root];
}

const asRoot = (...command: readonly string[]): Promise<string> => succeed([...inside('0:0'), ...command]);
const modeOf = (path: string): string => (statSync(join(root, path)).mode & 0o777).toString(8);

beforeAll(async () => {
  const debian = isRoot
    ? succeed([
        'mmdebstrap',
        '--quiet',
        '--variant=essential',
        '--include=adduser,fish,zsh',
        'bookworm',
        root,
      ])
    : null;
  const [outfile, metafile] = [join(built, 'bookstall'), join(built, 'meta.json')];
  const build = [process.execPath, 'run', 'build', `--outfile=${outfile}`, `--metafile=${metafile}`];
  await succeed(build, { cwd: PROJECT });
  const opened = openRelease(release);
  await addPlatform(opened, TARGET, readFileSync(outfile), JSON.parse(readFileSync(metafile, 'utf8')));
  addCommon(opened);
  opened.finish();
  // Without a program of the version before, this one is upgraded to itself.
  const former = readFileSync(process.env['BOOKSTALL_BEFORE'] ?? outfile);
  writeFileSync(before, await packDebOf(TARGET.deb ?? '', '0.0.1', former, new Uint8Array()));
  await debian;
}, 300_000);

describe('a release', () => {
  test('has a sum for each of its files, and a page that names them and the lines to install them', async () => {
    const files = readdirSync(release, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(release.length + 1));
    const checked = await succeed(['sha256sum', '-c', 'SHA256SUMS'], { cwd: release });
    const page = readFileSync(join(release, 'index.html'), 'utf8');
    const named = [...page.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
    expect(checked.trim().split('\n').toSorted()).toEqual(
      files
        .filter((path) => path !== 'SHA256SUMS')
        .map((path) => `${path}: OK`)
        .toSorted(),
    );
    expect(named.toSorted()).toEqual(files.filter((path) => path !== 'index.html').toSorted());
    expect([...page.matchAll(/<h2>([^<]+)/g)].map(([, title]) => title)).toEqual(
      expect.arrayContaining(['Debian and Ubuntu', 'Any Linux, and macOS', 'Docker', 'npm']),
    );
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
  });

  test('has in its archive what makes a service and an image of the program', async () => {
    const list = await succeed(['tar', '-tzf', join(release, `bookstall-${version}-${TARGET.name}.tar.gz`)]);
    expect(list).toContain('/content/books/handbook/1-first-sale.md\n');
    expect(
      list
        .match(/^[^/\n]+\/[^/\n]+$/gm)
        ?.map((path) => basename(path))
        .toSorted(),
    ).toEqual([
      'Caddyfile',
      'Dockerfile',
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES',
      'bookstall',
      'bookstall.env',
      'bookstall.service',
      'compose.yaml',
    ]);
  });

  test('has a .deb of the same bytes at another time', async () => {
    const pack = () => packDebOf('arm64', '1.0.0', Buffer.from('program'), Buffer.from('licenses'));
    const one = await pack();
    setSystemTime(new Date('2031-05-05T05:05:05Z'));
    const two = await pack();
    setSystemTime();
    expect(Buffer.from(one).equals(two)).toBeTrue();
  });
});

describe('the .deb', () => {
  test('has no error for lintian', async () => {
    const { code, out } = await run(['lintian', '--allow-root', '--fail-on=error,warning', deb], {
      program: [],
    });
    expect([code, out]).toEqual([0, '']);
  });

  test('has a unit that systemd can read, of an exposure of 2.0 at most', async () => {
    const unit = join(built, 'bookstall.service');
    const [source] = ['.ci/release/files/bookstall.service'].map((path) => join(PROJECT, path));
    const text = readFileSync(source ?? '', 'utf8');
    writeFileSync(unit, text.replace('/usr/local/bin/bookstall', join(built, 'bookstall')));
    await succeed(['systemd-analyze', 'verify', unit]);
    await succeed(['systemd-analyze', 'security', '--offline=true', '--threshold=20', unit]);
  });

  test('reads the settings for a command as systemd 252 was seen to read them', async () => {
    const lines: readonly (readonly [line: string, value: string])[] = [
      ['A=plain', 'plain'],
      ['B="quoted value"', 'quoted value'],
      [`C='single "x" $HOME \\ \\'`, 'single "x" $HOME \\ \\'],
      ['D=trailing \t ', 'trailing'],
      ['E=  leading', 'leading'],
      ['G = spaced', 'spaced'],
      ['H="esc \\" \\\\ \\$ \\n end"  ', 'esc " \\ $ \\n end'],
      ['I=back\\slash\\\\two', 'backslash\\two'],
      ['J=a # b; 100%25', 'a # b; 100%25'],
      ['L="a"b', 'ab'],
      ['M=a"b"c', 'a"b"c'],
      ['N=', ''],
      ['O=one \\\ntwo', 'one two'],
      ['P="two\nlines"', 'two\nlines'],
      [`Q='it'"'"'s'`, "it's"],
      ["R=it's", "it's"],
      ['S=$(id) `id` ${HOME}', '$(id) `id` ${HOME}'],
      ['T="from Windows"\r', 'from Windows'],
      ['U=x\nBOOKSTALL_U=y', 'y'],
      ['Z=no newline at the end', 'no newline at the end'],
    ];
    const folder = temporaryDirectory();
    const [settings, script] = [join(folder, 'settings'), join(folder, 'bookstall')];
    const given = lines.map(([line]) => `BOOKSTALL_${line}`).join('\n');
    writeFileSync(
      settings,
      `#BOOKSTALL_V=1\n; BOOKSTALL_V=1\nexport BOOKSTALL_V=1\n\n  BOOKSTALL_F=1\n${given}`,
    );
    const source = readFileSync(join(PROJECT, '.ci/release/files/bookstall.sh'), 'utf8');
    const [, end = ''] = /^exec (\S+)/m.exec(source) ?? [];
    writeFileSync(script, source.replace(end, 'env -0').replace('/etc/bookstall/bookstall.env', settings));
    const printed = await succeed(['sh', script], { env: { BOOKSTALL_A: 'of the environment' } });
    const names = printed.split('\0').filter((one) => one.startsWith('BOOKSTALL_'));
    expect(names.toSorted()).toEqual(
      ['BOOKSTALL_A=of the environment', 'BOOKSTALL_F=1']
        .concat(lines.slice(1).map(([line, value]) => `BOOKSTALL_${line[0]}=${value}`))
        .toSorted(),
    );
  });

  describe.skipIf(!isRoot)('in a Debian with nothing on it', () => {
    const data = 'var/lib/bookstall/data';
    const install = (path: string): Promise<string> => {
      cpSync(path, join(root, basename(path)));
      return asRoot('dpkg', '--install', `/${basename(path)}`);
    };

    /** The server, started as its unit says it. */
    function start() {
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/bookstall.service'), 'utf8');
      const valueOf = (key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
      const [program = '', ...words] = valueOf('ExecStart').split(' ');
      expect(words).toEqual(['serve']);
      const settings = readFileSync(join(root, valueOf('EnvironmentFile')), 'utf8');
      const env = Object.fromEntries(
        Array.from(settings.matchAll(/^(\w+)=(?:"(?=.*"$))?(.*?)"?$/gm), ([, name = '', value = '']) => [
          name,
          value,
        ]),
      );
      const user = valueOf('User');
      return serve(root, [], { program: [...inside(`${user}:${user}`), program], env });
    }

    /** The program that systemd runs beside a starting server: it ends with 0 once the server listens. */
    async function waitFor(pid: number): Promise<number> {
      const unit = readFileSync(join(root, 'usr/lib/systemd/system/bookstall.service'), 'utf8');
      const script = /^ExecStartPost=\/bin\/sh -c '(.*)'$/m.exec(unit)?.[1] ?? '';
      const env = { MAINPID: String(pid), STATE_DIRECTORY: `/${data}` };
      const command = [...inside('bookstall:bookstall'), 'sh', '-c', script];
      return (await run(command, { env, program: [] })).code;
    }

    beforeAll(() => {
      // As if systemd ran.
      const fake = `#!/bin/sh\necho "\${0##*/} $*" >>/calls\n`;
      writeFiles(root, {
        'usr/local/sbin/systemctl': fake,
        'usr/local/sbin/deb-systemd-invoke': fake,
        'run/systemd/system/.keep': '',
      });
    });

    test('is the base of an image, whose stall keeps its data, reloads and stops in time, and writes nowhere else', async () => {
      const image = await buildImage(root, join(release, `bookstall-${version}-${TARGET.name}.tar.gz`));
      const stall = stallDirectory({ ...SHELF });
      chmodSync(stall, 0o755);
      mkdirSync(join(stall, 'data'), { mode: 0o700 });
      chownSync(join(stall, 'data'), 10_001, 10_001);
      const container = await image.container(stall);
      const one = await container.serve();
      expect((await one.fetch('/api/install/free-book')).status).toBe(200);
      expect(ownersOf('bookstall', stall)).toEqual(['10001']);
      writeFiles(join(stall, 'content'), { 'books/free-book/02.md': '# A second chapter\n' });
      await container.run('bookstall', 'reindex');
      expect(await (await one.fetch('/books/free-book')).text()).toContain('A second chapter');
      await container.run('bookstall', 'account', 'add', 'ann@example.org');
      const written = await container.written();
      expect([await one.stop(), written]).toEqual([0, []]);
      const two = await container.serve();
      expect(await container.run('bookstall', 'account', 'list')).toContain('ann@example.org');
      expect(await two.stop()).toBe(0);
    });

    test('installs a service with a user, a closed data directory and settings that only root and it read', async () => {
      expect(await install(before)).toContain('sudo cat /var/lib/bookstall/data/setup-url');
      expect(readFileSync(calls, 'utf8')).toContain('deb-systemd-invoke start bookstall.service\n');
      expect([modeOf('etc/bookstall/bookstall.env'), modeOf(data)]).toEqual(['640', '700']);
      expect(await asRoot('stat', '-c', '%U:%G', '/etc/bookstall/bookstall.env', `/${data}`)).toBe(
        'root:bookstall\nbookstall:bookstall\n',
      );
      expect(await asRoot('cat', '/usr/share/doc/bookstall/handbook/1-first-sale.md')).toContain('# ');
      const wants = join(root, 'etc/systemd/system/multi-user.target.wants');
      expect(readdirSync(wants)).toEqual(['bookstall.service']);
    });

    test.each([
      [
        'bash',
        'source /usr/share/bash-completion/completions/bookstall; COMP_WORDS=("$@" ""); COMP_CWORD=$#; _bookstall; printf "%s\\n" "${COMPREPLY[@]}"',
      ],
      [
        'zsh',
        'compadd() { shift; print -l -- "$@"; }; compdef() { }; _files() { }; fpath+=/usr/share/zsh/vendor-completions; autoload -Uz _bookstall; words=("$@" ""); CURRENT=$#words; _bookstall',
      ],
      ['fish', 'cd /mnt; complete -C "$argv "'],
    ])('completes words in %s at the first try', async (shell, script) => {
      const complete = async (...typed: readonly string[]) => {
        const words = shell === 'fish' ? [] : [shell];
        const printed = await asRoot(shell, '-c', script, ...words, 'bookstall', ...typed);
        return printed
          .split('\n')
          .filter((word) => /^(?:--)?[a-z-]+$/.test(word))
          .toSorted();
      };
      expect(await complete('key')).toEqual(['create', 'list', 'revoke', 'rotate']);
      expect(await complete('account', 'add')).toEqual(['--data', '--group', '--json', '--owner']);
      expect(await complete('list')).toEqual(['--json', '--url']);
      expect(await complete()).toContain('account');
    });

    test('serves what root puts into the content, and all data stays its own', async () => {
      appendFileSync(
        join(root, 'etc/bookstall/bookstall.env'),
        'BOOKSTALL_BUDGET="7/60"\nBOOKSTALL_NOTE=$(touch /evil)\n',
      );
      await asRoot(
        'bookstall',
        'new',
        'book',
        'field-notes',
        '--free',
        '--publish',
        '--publisher',
        'Quince',
        '--description',
        'Notes.',
      );
      const stall = await start();
      expect((await stall.fetch('/api/install/field-notes')).status).toBe(200);
      expect(existsSync(join(root, data, 'setup-url'))).toBeTrue();
      await asRoot('bookstall', 'account', 'add', 'ann@example.org');
      await asRoot('bookstall', 'reindex');
      await asRoot('bookstall', 'doctor');
      expect(await stall.stop()).toBe(0);
      await asRoot('bookstall', 'reindex');
      await asRoot('bookstall', 'backup', `/${data}/one.db`);
      expect(await asRoot('find', `/${data}`, '!', '-user', 'bookstall')).toBe('');
      expect(await asRoot('sh', '-c', 'BOOKSTALL_BUDGET=none bookstall doctor || true')).toBe('');
      expect(existsSync(join(root, 'evil'))).toBeFalse();
    });

    test('is upgraded: its service restarts, its settings and data stay', async () => {
      await asRoot('truncate', '--size=0', '/calls');
      await install(deb);
      expect(readFileSync(calls, 'utf8')).toContain('deb-systemd-invoke restart bookstall.service\n');
      expect(readFileSync(join(root, 'etc/bookstall/bookstall.env'), 'utf8')).toContain('"7/60"');
      expect(modeOf('etc/bookstall/bookstall.env')).toBe('640');
      const stall = await start();
      expect(await asRoot('bookstall', 'account', 'list')).toContain('ann@example.org');
      expect((await stall.fetch('/api/install/field-notes')).status).toBe(200);
      const pid = Number(readFileSync(join(root, data, 'serve.pid'), 'utf8'));
      expect(await waitFor(pid)).toBe(0);
      expect(await stall.stop()).toBe(0);
      expect(await waitFor(pid)).toBe(1);
      expect(await asRoot('bookstall', '--version')).toStartWith(`bookstall ${version} `);
    });

    test('is installed beside a service made by hand, whose user and data stay as they are, and says what goes first', async () => {
      await asRoot('dpkg', '--purge', 'bookstall');
      await asRoot(
        'sh',
        '-c',
        'deluser --quiet bookstall; useradd -N bookstall; chown nobody /var/lib/bookstall/data',
      );
      writeFiles(root, { 'etc/systemd/system/bookstall.service': '' });
      expect(await install(deb)).toContain('But /etc/systemd/system/bookstall.service was made by hand');
      expect(await asRoot('stat', '-c', '%U', `/${data}`)).toBe('nobody\n');
      expect(await asRoot('stat', '-c', '%U:%G', '/etc/bookstall/bookstall.env')).toBe('root:users\n');
      await asRoot('rm', '/etc/systemd/system/bookstall.service');
    });

    test('is purged, all but the content and the data, of which it says where they are', async () => {
      const said = await asRoot('dpkg', '--purge', 'bookstall');
      expect(said).toContain('kept in /var/lib/bookstall');
      expect(readFileSync(calls, 'utf8')).toContain('deb-systemd-invoke stop bookstall.service\n');
      const left = await asRoot('find', '/etc', '/usr', '/var/lib/bookstall', '-name', '*bookstall*');
      expect(left.trim().split('\n').toSorted()).toEqual([
        '/var/lib/bookstall',
        '/var/lib/bookstall/data/bookstall.db',
        '/var/lib/bookstall/data/bookstall.lock',
      ]);
      expect(existsSync(join(root, 'var/lib/bookstall/content/books/field-notes/item.yaml'))).toBeTrue();
    });
  });
});

describe('the packages of npm', () => {
  const npm = ['npm', 'install', '--offline', '--no-audit', '--no-fund'];
  const tarballs = () => readdirSync(join(release, 'npm')).map((name) => join(release, 'npm', name));
  const project = (): Where => {
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'package.json'), '{"private":true}');
    return { cwd, env: { npm_config_cache: join(cwd, 'cache') } };
  };

  test('start the program in an empty project without a network, and hand signals on', async () => {
    const where = project();
    await succeed([...npm, ...tarballs()], where);
    expect(await succeed(['npx', '--offline', 'bookstall', '--version'], where)).toStartWith(
      `bookstall ${version} `,
    );
    await succeed(['npx', '--offline', 'bookstall', 'init'], where);
    const launcher = join(where.cwd ?? '', 'node_modules/.bin/bookstall');
    expect((await run(['nonsense'], { program: [launcher] })).code).toBe(2);
    const stall = await serve(where.cwd ?? '', [], { program: [launcher] });
    expect((await stall.fetch('/readyz')).status).toBe(200);
    expect(await stall.stop()).toBe(0);
    expect(stall.err.text()).toContain('"event":"stopped"');
  });

  test('say so if that of the platform is missing', async () => {
    const where = project();
    const [launcher = ''] = tarballs().filter((path) => path.endsWith(`/bookstall-${version}.tgz`));
    await succeed([...npm, '--omit=optional', launcher], where);
    const { code, err } = await run(['--version'], { program: ['node_modules/.bin/bookstall'], ...where });
    expect(code).toBe(1);
    expect(err).toStartWith(`Cannot start bookstall: the package "bookstall-linux-${process.arch}" is not`);
  });
});

describe('install.sh', () => {
  const tools = temporaryDirectory();
  let isDamaged = false;
  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch({ url }) {
      const { pathname } = new URL(url);
      const file = Bun.file(join(release, pathname));
      if (!(await file.exists())) return new Response(null, { status: 404 });
      const bytes = await file.bytes();
      if (isDamaged && pathname.endsWith('.gz')) bytes[1000] = ~(bytes[1000] ?? 0);
      return new Response(bytes);
    },
  });
  const BASE = site.url.origin;
  const busybox = Bun.which('busybox') ?? '';
  mkdirSync(join(tools, 'bin'));
  for (const name of Bun.spawnSync([busybox, '--list']).stdout.toString().trim().split('\n'))
    symlinkSync(busybox, join(tools, 'bin', name));

  /** A run in a home of its own: what was said, and what lies in the home and in the scratch folder after it. */
  async function install(shell: readonly string[], base: string, ...words: readonly string[]) {
    const home = temporaryDirectory();
    mkdirSync(join(home, 'scratch'));
    const env = { HOME: home, TMPDIR: join(home, 'scratch'), BASE: base };
    const isBusybox = shell.includes('busybox');
    const { code, out, err } = await run([join(release, 'install.sh'), ...words], {
      program: isBusybox ? [busybox, 'sh'] : shell,
      env: isBusybox ? { ...env, PATH: join(tools, 'bin') } : env,
    });
    const left = readdirSync(home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    return { code, said: out + err, home, left: left.map(({ name }) => name) };
  }

  describe.each([['dash'], ['busybox']])('in %s', (shell) => {
    test('installs the program where it is told to, and says what it did', async () => {
      const given = relative(process.cwd(), join(temporaryDirectory(), 'a b'));
      const prefix = `${process.cwd()}/${given}`;
      const umask = process.umask(0o077);
      const { code, said, left } = await install([shell], BASE, '--prefix', given);
      process.umask(umask);
      expect([code, left]).toEqual([0, []]);
      expect(statSync(join(prefix, 'bin/bookstall')).mode & 0o777).toBe(0o755);
      expect(said).toContain(`Installed ${prefix}/bin/bookstall\n  bookstall ${version} `);
      expect(said).toContain(`export PATH="${prefix}/bin:$PATH"`);
      expect(readdirSync(join(prefix, 'bin'))).toEqual(['bookstall']);
      expect((await run(['--version'], { program: [join(prefix, 'bin/bookstall')] })).code).toBe(0);
    });

    test('does nothing if it was cut off on its way', async () => {
      const whole = readFileSync(join(release, 'install.sh'), 'utf8').trimEnd();
      for (let length = whole.lastIndexOf('main'); length < whole.length; length++) {
        const { err } = await run(['-c', whole.slice(0, length)], {
          program: shell === 'busybox' ? [busybox, 'sh'] : [shell],
        });
        expect([length, err.match(/Cannot.*/)]).toEqual([length, null]);
      }
    });

    test.each([
      ['without BASE', '', [], 'Cannot download: set BASE'],
      ['without a network', 'http://127.0.0.1:1', [], 'Cannot download http://127.0.0.1:1/SHA256SUMS: '],
      ['from a folder without a release', `${BASE}/npm`, [], 'Cannot download '],
      ['where it cannot write', BASE, ['--prefix=/proc/none'], 'Cannot write to /proc/none/bin: '],
      ['with a word that it does not know', BASE, ['--root'], 'Cannot read "--root": '],
      ['with a damaged archive', BASE, ['damaged'], 'is damaged; run this again'],
    ])('leaves nothing %s', async (_, base, words, sentence) => {
      isDamaged = words[0] === 'damaged';
      const prefix = join(temporaryDirectory(), 'prefix');
      const given = words[0]?.startsWith('--') === true ? words : ['--prefix', prefix];
      const { code, said, left } = await install([shell], base, ...given);
      isDamaged = false;
      expect([code, left, existsSync(prefix)]).toEqual([1, [], false]);
      expect(said).toContain(sentence);
    });
  });
});
