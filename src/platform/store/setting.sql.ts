import { type Audited, logAct } from './audit-log.sql.ts';
import type { Statements } from './statements.ts';

type SettingRow = { readonly name: string; readonly value: string; readonly setAt: number };

/** Settings to store together. A null value removes a setting, so that its default counts again. */
type SettingChange = Audited & {
  readonly rows: readonly { readonly name: string; readonly value: string | null }[];
  readonly at: number;
  readonly actorId: string | null;
};

export const settingReads = (db: Statements) => ({
  listSettings: (): readonly SettingRow[] =>
    db.all<SettingRow>`SELECT name, value, set_at AS setAt FROM settings ORDER BY name`,
});

export const settingWrites = (db: Statements) => ({
  putSettings({ rows, at, actorId, audit }: SettingChange): void {
    for (const { name, value } of rows)
      if (value === null) db.run`DELETE FROM settings WHERE name = ${name}`;
      else
        db.run`INSERT INTO settings (name, value, set_at, actor_id) VALUES (${name}, ${value}, ${at}, ${actorId})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, set_at = excluded.set_at, actor_id = excluded.actor_id`;
    logAct(db, audit);
  },
});
