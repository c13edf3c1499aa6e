import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { diagnose, type Expected, expectFindings, healthyStall, noteBackup } from './examined-stall.ts';
import { giveAway, isRoot, program } from './ordinary-user.ts';

type Fault = readonly [
  name: string,
  prepare: (directory: string) => void,
  findings: readonly Expected[],
  skipped?: readonly string[],
  args?: readonly string[],
];

/** One finding, or the few that belong together, and nothing else. */
function testFaults(faults: readonly Fault[]): void {
  test.each(faults)('%s', async (_, prepare, findings, skipped = [], args = []) => {
    const directory = healthyStall();
    prepare(directory);
    expectFindings(await diagnose(directory, args), findings, skipped);
  });
}

const inData = (directory: string, name: string): string => join(directory, 'data', name);

function alter(directory: string, ...statements: readonly string[]): void {
  const db = new Database(inData(directory, 'bookstall.db'));
  db.run('PRAGMA foreign_keys = OFF');
  for (const statement of statements) db.run(statement);
  db.close();
  giveAway(directory);
}

const UNASKED = ['kept editions', 'repositories', 'mail'];
const NO_DATABASE = [
  'disk',
  'secrets',
  'stall.yaml',
  'served items',
  'kept editions',
  'repositories',
  'backup',
  'mail',
];
const RESTORE = /restore a backup with "bookstall restore FILE --replace"/;

describe('the data directory', () => {
  testFaults([
    [
      'is missing',
      (directory) => rmSync(join(directory, 'data'), { recursive: true }),
      [
        [
          'data directory',
          'fail',
          /^There is no data directory "data"$/,
          /--data, or start "bookstall serve"/,
        ],
        ['database', 'fail', /^There is no database/, /restore a backup/],
      ],
      NO_DATABASE,
    ],
    [
      'is closed to the user',
      (directory) => chmodSync(join(directory, 'data'), 0),
      [
        ['data directory', 'fail', /EACCES/, /as the user the stall runs as/],
        ['database', 'fail', /EACCES/, /as the user the stall runs as/],
        ['server', 'warn', /^Cannot tell whether a server runs/, /as the user the stall runs as/],
      ],
      NO_DATABASE,
    ],
    [
      'may be changed by others',
      (directory) => chmodSync(join(directory, 'data'), 0o777),
      [
        [
          'data directory',
          'fail',
          /^Other users may change .* \(mode 0777\)$/,
          /^Close it: chmod 700 "data"$/,
        ],
      ],
    ],
    [
      'may be listed by others, who can open nothing in it',
      (directory) => chmodSync(join(directory, 'data'), 0o755),
      [],
    ],
    [
      'is open and the database in it too',
      (directory) => {
        chmodSync(join(directory, 'data'), 0o755);
        chmodSync(inData(directory, 'bookstall.db'), 0o644);
      },
      [
        [
          'data directory',
          'fail',
          /^Other users can read "bookstall.db" in "data"$/,
          /^Close them: chmod go-rwx "data\/bookstall.db"$/,
        ],
      ],
    ],
    [
      'is open and a copy of the database in it too',
      (directory) => {
        chmodSync(join(directory, 'data'), 0o755);
        writeFileSync(inData(directory, 'before-migration-2.db'), '');
        giveAway(directory);
      },
      [['data directory', 'fail', /^Other users can read "before-migration-2\.db"/, /chmod go-rwx/]],
    ],
    [
      'is open and what is sold too',
      (directory) => {
        chmodSync(join(directory, 'data'), 0o755);
        chmodSync(inData(directory, 'artefacts'), 0o755);
      },
      [['data directory', 'fail', /^Other users can read "artefacts"/, /chmod go-rwx "data\/artefacts"/]],
    ],
    [
      'is closed, whatever the modes inside',
      (directory) => chmodSync(inData(directory, 'bookstall.db'), 0o644),
      [],
    ],
    [
      'is open to its group',
      (directory) => {
        chmodSync(join(directory, 'data'), 0o750);
        chmodSync(inData(directory, 'bookstall.db'), 0o640);
      },
      [['data directory', 'warn', /^Its group can read "bookstall.db"/, /chmod go-rwx "data\/bookstall.db"/]],
    ],
  ]);

  test.skipIf(!isRoot)('holds files of another user, as after a command that root ran', async () => {
    const directory = healthyStall();
    const served = join(directory, 'data/artefacts/by-root');
    writeFileSync(served, '');
    chownSync(served, 0, 0);
    expectFindings(await diagnose(directory), [
      [
        'data directory',
        'fail',
        /^"artefacts\/by-root" in "data" belong to user 0, the database to user 65534$/,
        /chown -R 65534 "data"/,
      ],
    ]);
  });

  test.skipIf(Bun.which('strace') === null)('lies on a network file system', async () => {
    // statfs(2) answers as on NFS: its first field is the type, NFS_SUPER_MAGIC.
    const nfs = [
      'strace',
      '-f',
      '-qq',
      '-o',
      '/dev/null',
      '-e',
      'inject=statfs:poke_exit=@arg2=6969000000000000',
    ];
    expectFindings(await diagnose(healthyStall(), [], { program: [...nfs, ...program] }), [
      ['data directory', 'fail', /on a network file system \(NFS\)/, /local directory with --data/],
    ]);
  });
});

describe('the database', () => {
  const damage = (directory: string): void => {
    const file = openSync(inData(directory, 'bookstall.db'), 'r+');
    writeSync(file, Buffer.alloc(3 * 4096, 0xaa), 0, 3 * 4096, 4096);
    closeSync(file);
  };
  testFaults([
    [
      'is missing',
      (directory) =>
        ['', '-wal', '-shm'].forEach((end) =>
          rmSync(inData(directory, `bookstall.db${end}`), { force: true }),
        ),
      [['database', 'fail', /^There is no database "data\/bookstall.db"$/, /restore a backup/]],
      NO_DATABASE,
    ],
    [
      'is empty',
      (directory) => truncateSync(inData(directory, 'bookstall.db')),
      [['database', 'fail', /is empty$/, /delete the file to start with a new one/]],
      UNASKED,
    ],
    [
      'is no database',
      (directory) => writeFileSync(inData(directory, 'bookstall.db'), 'x'.repeat(9000)),
      [['database', 'fail', /^Cannot read .*: file is not a database$/, RESTORE]],
      UNASKED,
    ],
    ['is damaged', damage, [['database', 'fail', /is damaged: /, RESTORE]]],
    [
      'is cut off',
      (directory) => truncateSync(inData(directory, 'bookstall.db'), 40_000),
      [['database', 'fail', /is damaged: |^Cannot read /, RESTORE]],
      UNASKED,
    ],
    [
      'is of another program',
      (directory) => {
        rmSync(inData(directory, 'bookstall.db'));
        alter(directory, 'CREATE TABLE songs (title TEXT)');
      },
      [['database', 'fail', /is not a database of Bookstall$/, /another directory with --data/]],
      UNASKED,
    ],
    [
      'cannot be read by the user',
      (directory) => chmodSync(inData(directory, 'bookstall.db'), 0),
      [['database', 'fail', /EACCES/, /as the user the stall runs as/]],
      UNASKED,
    ],
    [
      'has rows that refer to none',
      (directory) =>
        alter(
          directory,
          "INSERT INTO keys (account_id, hash, prefix, name, created_at) VALUES ('gone', zeroblob(32), 'svc_abcd', 'k', 1)",
        ),
      [['database', 'fail', /^Rows refer to others that are gone: 1 of "keys"$/, RESTORE]],
    ],
    [
      'was written by a newer version',
      (directory) => alter(directory, 'PRAGMA user_version = 99'),
      [
        [
          'database',
          'fail',
          /^A newer Bookstall wrote the database: schema 99, /,
          /^Install the newer program$/,
        ],
      ],
    ],
    [
      'has a large write-ahead log',
      (directory) => {
        writeFileSync(inData(directory, 'bookstall.db-wal'), '');
        truncateSync(inData(directory, 'bookstall.db-wal'), 65_000_000);
        giveAway(directory);
      },
      [
        [
          'database',
          'warn',
          /^The write-ahead log has grown to 65 MB: /,
          /restart the server, which empties it$/,
        ],
      ],
    ],
  ]);
});

describe('the last backup', () => {
  testFaults([
    ['is six days old', (directory) => noteBackup(directory, { days: 6 }), []],
    [
      'is eight days old',
      (directory) => noteBackup(directory, { days: 8 }),
      [
        [
          'backup',
          'warn',
          /^The last backup is 8 days old: /,
          /bookstall backup FILE.*BOOKSTALL_BACKUP_EVERY=24h/,
        ],
      ],
    ],
    [
      'is gone',
      (directory) => rmSync(join(directory, 'kept/bookstall.db')),
      [['backup', 'warn', /^The last backup ".*" is not there any more/, /^If you moved it, keep it safe/]],
    ],
    [
      'has changed',
      (directory) => noteBackup(directory, { missing: 1 }),
      [['backup', 'fail', /has 4095 bytes, and had 4096 when it was proven$/, /^Make another/]],
    ],
    [
      'was never made',
      (directory) => rmSync(inData(directory, 'backup.json')),
      [['backup', 'warn', /^No backup is recorded$/, /bookstall backup FILE/]],
    ],
    ...['{"at":5}', 'null', '{"at":"soon","path":"one.db","bytes":1,"sha256":"a"}'].map(
      (note) =>
        [
          `is noted as ${note}`,
          (directory: string) => writeFileSync(inData(directory, 'backup.json'), note),
          [['backup', 'warn', /^No backup is recorded$/, /bookstall backup FILE/]],
        ] as const,
    ),
  ]);
});

/** Gives a directory a file system of its own until disposed of; null where this user may mount none. */
function mount(path: string, options: string) {
  mkdirSync(path, { recursive: true });
  const { exitCode } = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  return exitCode === 0 ? { [Symbol.dispose]: () => void Bun.spawnSync(['umount', '-l', path]) } : null;
}

/** Puts a folder of a stall on a file system of its own, with what is in it. */
function moveToDisk(directory: string, name: string, options: string) {
  const path = join(directory, name);
  renameSync(path, `${path}.old`);
  const disk = mount(path, options);
  Bun.spawnSync(['cp', '-a', `${path}.old/.`, path]);
  rmSync(`${path}.old`, { recursive: true });
  giveAway(directory);
  chmodSync(path, 0o700);
  return disk;
}

const probe = mount(join(healthyStall(), 'probe'), 'size=1m');
probe?.[Symbol.dispose]();
if (probe === null) console.warn('SKIPPED: full disks, for this user may mount no tmpfs');

describe.skipIf(probe === null)('a disk', () => {
  const MAKE_ROOM = /^Make room /;
  test.each<[string, string, string, readonly Expected[]]>([
    [
      'of the data is nearly full',
      'data',
      'size=24m',
      [['disk', 'fail', /soon nothing can be written/, MAKE_ROOM]],
    ],
    [
      'of the data has little room',
      'data',
      'size=200m',
      [['disk', 'warn', /too little for its logs, and to compile all items again/, MAKE_ROOM]],
    ],
    ['of the data has room', 'data', 'size=400m', []],
    [
      'of the data has few inodes',
      'data',
      'size=400m,nr_inodes=500',
      [['disk', 'fail', /^\d+ inodes are free/, MAKE_ROOM]],
    ],
  ])('%s', async (_, name, options, findings) => {
    const directory = healthyStall();
    using disk = moveToDisk(directory, name, options);
    expect(disk).not.toBeNull();
    expectFindings(await diagnose(directory), findings);
  });
});
