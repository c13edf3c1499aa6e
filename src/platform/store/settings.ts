import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor } from '../base/principal.ts';
import { counted } from '../base/text.ts';
import { auditEntry } from './audit-entry.ts';
import type { SecretBox } from './secret-box.ts';
import { settingReads, type settingWrites } from './setting.sql.ts';
import { openUnwritable } from './database.ts';
import { type Statements, statementsOf } from './statements.ts';
import type { Store } from './store.ts';

type Sealed = { readonly sealed: string; readonly ending: string };

/** New values of settings by name; null removes one. `secrets` are given unencrypted. */
export type NewSettings = {
  readonly values?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string | null>>;
};

const SHOWN = 4;

/**
 * Reads the settings in a data directory, for a command that runs beside its server; null if `readBeside` returns null. By
 * default, every secret reads as null.
 */
export const readSettings = (dataDirectory: string, box: Pick<SecretBox, 'open'> = { open: () => null }) =>
  readBeside(dataDirectory, (db) => readsOf(holdRows(settingReads(db).listSettings()), box));

/** Reads the database of a data directory while its server may run; null without one that this version and user can read. */
export function readBeside<T>(dataDirectory: string, read: (db: Statements) => T): T | null {
  const file = join(dataDirectory, 'bookstall.db');
  if (!existsSync(file)) return null;
  try {
    const db = openUnwritable(file, 'EROFS');
    try {
      return read(statementsOf(() => db));
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

const listUnder = (held: ReadonlyMap<string, unknown>, prefix: string) =>
  [...held].flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  );

const holdRows = (rows: readonly { readonly name: string; readonly value: string }[]) =>
  new Map(rows.map(({ name, value }) => [name, JSON.parse(value) as unknown]));

function readsOf(held: ReadonlyMap<string, unknown>, box: Pick<SecretBox, 'open'>) {
  const opened = new Map<string, string | null>();
  const sealedOf = (name: string): Sealed | null => {
    const value = held.get(name);
    return isSealed(value) ? value : null;
  };
  const open = (name: string): string | null => {
    const found = sealedOf(name);
    return found && opened.getOrInsertComputed(name, () => box.open(name, found.sealed));
  };
  return {
    value: (name: string) => held.get(name),
    under: (prefix: string) => listUnder(held, prefix),
    /** The text of a secret; null if it is not set, or if the key with which it was encrypted is missing. */
    secret: open,
    text: (name: string) =>
      held.has(name) ? (sealedOf(name) === null ? String(held.get(name)) : open(name)) : null,
    /** The last characters of a secret, for pages: '' if it is short, null if `secret` is null. */
    endingOf: (name: string) => (open(name) === null ? null : sealedOf(name)!.ending),
    /** The names of the secrets that cannot be decrypted, as when a backup was restored without the key. */
    lost: () => [...held.keys()].filter((name) => sealedOf(name) !== null && open(name) === null),
    forget: (name: string) => void opened.delete(name),
  };
}

export function openSettings(
  store: Store<ReturnType<typeof settingReads>, ReturnType<typeof settingWrites>>,
  box: SecretBox,
  now: () => number,
) {
  const held = holdRows(store.listSettings());
  const reads = readsOf(held, box);
  const listeners: ((names: readonly string[]) => void)[] = [];
  let version = 0;
  const seal = (name: string, secret: string): Sealed => ({
    sealed: box.seal(name, secret),
    ending: secret.length < 3 * SHOWN ? '' : secret.slice(-SHOWN),
  });
  return {
    ...reads,
    version: () => version,
    /** Derives a key of this stall for a purpose, from the key that encrypts secrets. */
    derive: box.derive,
    onChange: (listener: (names: readonly string[]) => void) => void listeners.push(listener),
    /** Saves all these settings or none. They count from the next request. `subject` names them in the audit log. */
    async save(by: Actor, subject: string, { values = {}, secrets = {} }: NewSettings): Promise<void> {
      const sealed = Object.entries(secrets).map(
        ([name, secret]) => [name, secret && seal(name, secret)] as const,
      );
      const changes = [...Object.entries(values), ...sealed];
      await store.write.putSettings({
        rows: changes.map(([name, value]) => ({
          name,
          value: value === null ? null : JSON.stringify(value),
        })),
        at: now(),
        actorId: typeof by === 'string' ? null : by.accountId,
        audit: auditEntry(by, now(), 'setting.set', subject),
      });
      for (const [name, value] of changes) {
        reads.forget(name);
        if (value === null) held.delete(name);
        else held.set(name, value);
      }
      version++;
      for (const listener of listeners) listener(changes.map(([name]) => name));
    },
  };
}

/** The settings that the owner made in the office. A flag, variable or file that gives the same setting beats them. */
export type Settings = ReturnType<typeof openSettings>;

export const countLost = (settings: Pick<Settings, 'under'>, box: Pick<SecretBox, 'open'>): number =>
  settings.under('').filter(([name, value]) => isSealed(value) && box.open(name, value.sealed) === null)
    .length;

export const lostSecrets = (lost: number) => ({
  sentence: `${counted(lost, 'secret')} of the settings cannot be read: the file secrets.key is missing, damaged or another stall's`,
  remedy: 'Put the right file back and start again, or type the secrets again at "Settings"',
});

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'sealed' in value;
