import { expect, test } from 'bun:test';
import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory } from '../../helpers/harness.ts';

const NAME = 'variable.BOOKSTALL_MODEL_KEY';

test('a secret is stored encrypted, opened after a restart, and lost without its key', async () => {
  const directory = temporaryDirectory();
  const stall = await openStall({ directory });
  const { settings } = stall.app.stall;
  await settings.save('command', 'answers', { secrets: { [NAME]: 'sk-very-secret-1234' } });
  expect([settings.secret(NAME), settings.endingOf(NAME)]).toEqual(['sk-very-secret-1234', '1234']);
  const stored = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
  expect(JSON.stringify(stored.query('SELECT * FROM settings').all())).not.toContain('very-secret');
  await stall.close();

  const again = await openStall({ directory, files: {} });
  expect(again.app.stall.settings.secret(NAME)).toBe('sk-very-secret-1234');
  await again.close();

  rmSync(join(directory, 'data', 'secrets.key'));
  const restored = await openStall({ directory, files: {} });
  const found = restored.app.stall.settings;
  expect([found.secret(NAME), found.endingOf(NAME), found.lost()]).toEqual([null, null, [NAME]]);
});

test('a short secret shows none of its characters', async () => {
  const { settings } = (await openStall()).app.stall;
  await settings.save('command', 'answers', { secrets: { [NAME]: 'short-one' } });
  expect(settings.endingOf(NAME)).toBe('');
  await settings.save('command', 'answers', { secrets: { [NAME]: null } });
  expect([settings.secret(NAME), settings.endingOf(NAME)]).toEqual([null, null]);
});

test('settings that are saved together have one row in the audit log', async () => {
  const stall = await openStall();
  const { settings } = stall.app.stall;
  await settings.save('command', 'mail', { values: { 'mail.host': 'a.example', 'mail.port': 465 } });
  const db = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
  expect(db.query("SELECT subject FROM audit_log WHERE action = 'setting.set'").all()).toEqual([
    { subject: 'mail' },
  ]);
  expect(settings.under('mail.')).toEqual([
    ['host', 'a.example'],
    ['port', 465],
  ]);
});
