import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { checkCredential } from '../accounts/access.ts';
import { needsCode, proofOf, proveWithPassword } from '../accounts/second-step.ts';
import { ProofField } from '../accounts/proof.part.tsx';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { formatBytes } from '../platform/base/text.ts';
import { readBackupPlan } from '../platform/config/config.ts';
import { setBy, variableSetting, variablesOf } from '../platform/config/live-config.ts';
import type { Form as SentForm } from '../platform/http/body.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { type Backup, filesFolder } from '../platform/store/backup.ts';
import { backupTime } from '../platform/store/copy.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Button, CurrentPassword, Field, Form, ONE_TIME_CODE, Select } from '../platform/site/form.tsx';
import { type FormEnd, handleForm, handleSentForm, redirectSaying } from '../platform/site/handle-form.ts';
import { PATIENCE } from '../publishing/awaited-publish.ts';
import { tarBackup } from '../publishing/backup-tar.ts';
import { errorBeside, FieldRefusal, refusedBeside } from '../platform/site/field-refusal.ts';
import { Fixed, sendSettings, Setting, SETTINGS_PATHS } from './setting.part.tsx';
import { proofIn } from './setting-proof.ts';
import type { Http, Stall } from './stall.ts';

const PATH = SETTINGS_PATHS.backups;

const PLAN = {
  every: { variable: 'BOOKSTALL_BACKUP_EVERY', standard: 'off' },
  keep: { variable: 'BOOKSTALL_BACKUP_KEEP', standard: '7' },
} as const;

type PlanName = keyof typeof PLAN;

type PageEnd = FormEnd<SentForm>;

/** `GET /admin/settings/backups`: shows the schedule, the state of the last backup, and all backups. */
export async function showBackupSettings(http: Http, owner: SessionPrincipal, end: PageEnd) {
  const w = officeOf(http, owner);
  const { stall } = http;
  const { said, refused } = end;
  const { directory } = stall.config.backup;
  const { examineBackup } = await import('./doctor/backup.ts');
  const { status, sentence } = await examineBackup(stall);
  const failure = stall.backups.failure();
  const backups = listBackups(directory);
  return sendSettings(
    http,
    owner,
    {
      current: 'backups',
      lead: w.backups.lead,
      said,
      refused,
    },
    <>
      <section>
        <h2>{w.backups.planTitle}</h2>
        <PlanSetting stall={stall} name="every" {...end} />
        <PlanSetting stall={stall} name="keep" {...end} />
      </section>
      <section>
        <h2>{w.backups.lastTitle}</h2>
        {failure !== null && <p class="warning">{w.backups.failed({ failure })}</p>}
        <p>{status === 'ok' ? w.backups.sound : <span lang="en">{sentence}</span>}.</p>
        <Form action={`${PATH}/make`}>
          <Button kind="quiet">{w.backups.makeButton}</Button>
        </Form>
      </section>
      <section>
        <h2>{w.backups.keptTitle}</h2>
        <p class="hint">{w.backups.keptHint({ directory })}</p>
        <DataTable
          caption={w.backups.caption}
          columns={{
            [w.backups.made]: ({ at }) => <When at={at} withTime />,
            [w.backups.database]: ({ bytes }) => formatBytes(bytes, w.formats.number),
            [w.common.items]: ({ items }) => w.counts.items({ count: items }),
          }}
          rows={backups}
          empty={<Empty>{w.backups.noBackups}</Empty>}
        />
        {backups.length > 0 && <Download stall={stall} owner={owner} backups={backups} {...end} />}
        <p class="hint">{w.backups.restoreHint}</p>
      </section>
    </>,
  );
}

type PlanProps = Pick<PageEnd, 'refused' | 'typed'> & { readonly stall: Stall; readonly name: PlanName };

function PlanSetting({ stall, name, refused, typed }: PlanProps) {
  const w = useOffice();
  const { variable, standard } = PLAN[name];
  const label = w.backups.plan[name];
  const source = setBy(stall.config, variable);
  if (source !== null)
    return (
      <Fixed label={label} source={source}>
        {String(stall.config.given[variable])}
      </Fixed>
    );
  const isTyped = typed?.text('setting') === name;
  const value = isTyped ? typed.text('value') : (stall.settings.text(variableSetting(variable)) ?? standard);
  const field = { label, name: 'value', value, error: isTyped ? errorBeside(refused, 'value') : null };
  return (
    <Setting action={PATH} name={name} label={label}>
      {name === 'every' ? (
        <Select {...field} options={Object.entries(w.backups.often)} hint={w.backups.everyHint} />
      ) : (
        <Field {...field} hint={w.backups.keepHint} inputmode="numeric" maxLength={6} />
      )}
    </Setting>
  );
}

type ListedBackup = Readonly<Record<'at' | 'bytes' | 'items', number>> & { readonly name: string };

/** Lists the backups in a folder, newest first; none if the folder cannot be read. */
function listBackups(directory: string): readonly ListedBackup[] {
  return namesIn(directory)
    .flatMap((name) => {
      const at = backupTime(name);
      const stat = at === null ? undefined : lstatSync(join(directory, name), { throwIfNoEntry: false });
      const pushed = join(filesFolder(join(directory, name)), 'pushed');
      return at !== null && stat?.isFile() === true
        ? [
            {
              name,
              at,
              bytes: stat.size,
              items: namesIn(pushed).flatMap((kind) => namesIn(join(pushed, kind))).length,
            },
          ]
        : [];
    })
    .toSorted((one, other) => other.at - one.at);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

type DownloadProps = Pick<PageEnd, 'refused' | 'typed'> & {
  readonly stall: Stall;
  readonly owner: SessionPrincipal;
  readonly backups: readonly ListedBackup[];
};

function Download({ stall, owner, backups, refused, typed }: DownloadProps) {
  const w = useOffice();
  const error = errorBeside(refused, 'proof');
  const withCode = needsCode(stall, owner);
  return (
    <Form action={`${PATH}/download`} label={w.backups.downloadForm}>
      <Select
        label={w.backups.downloadButton}
        name="backup"
        value={typed?.text('backup') ?? ''}
        options={backups.map(({ name }) => [name, name] as const)}
        error={errorBeside(refused, 'backup')}
        hint={w.backups.downloadHint}
      />
      {stall.config.proxySignIn === null ? (
        <>
          <CurrentPassword label={w.backups.password} name="password" error={error} required />
          {withCode && (
            <Field label={w.common.code} name="code" hint={w.backups.codeHint} {...ONE_TIME_CODE} />
          )}
        </>
      ) : (
        <ProofField proof={proofOf(stall, owner)} error={error} />
      )}
      <Button kind="quiet">{w.backups.downloadButton}</Button>
    </Form>
  );
}

export async function saveBackupSettings(http: Http, request: Request, owner: SessionPrincipal) {
  const { stall } = http;
  return handleSentForm(
    request,
    async (form) => {
      const name: PlanName = form.text('setting') === 'keep' ? 'keep' : 'every';
      const { variable } = PLAN[name];
      const value = form.text('value').trim();
      const source = setBy(stall.config, variable);
      if (source !== null)
        throw new FieldRefusal(
          'value',
          new OfficeRefusal('invalid-request', (r) => r.settingFixed({ source })),
        );
      await refusedBeside('value', async () =>
        readBackupPlan(
          { data: stall.config.data },
          variablesOf(stall.config, stall.settings, { [variable]: value }),
        ),
      );
      const values = { [variableSetting(variable)]: value === '' ? null : value };
      await stall.settings.save(owner, `backups.${name}`, { values });
      return redirectSaying(PATH, 'saved');
    },
    (end) => showBackupSettings(http, owner, end),
  );
}

/** `POST /admin/settings/backups/make`: makes a backup, and says how it ended, or, after PATIENCE, that it still runs. */
export const makeBackupNow = (http: Http, owner: SessionPrincipal): Promise<Response> => {
  const w = officeOf(http, owner);
  return handleForm(
    async () => {
      const making = http.stall.backups.make().catch((error: unknown) => {
        throw Refusal.invalid(messageOf(error));
      });
      const made = await Promise.race([making, Bun.sleep(PATIENCE)]);
      return showBackupSettings(http, owner, { said: made ? describe(w, made) : w.backups.making });
    },
    (refused) => showBackupSettings(http, owner, { refused }),
  );
};

const describe = (w: Office, { bytes, pushed }: Backup): string =>
  w.backups.done({
    size: formatBytes(bytes, w.formats.number),
    pushed: w.counts.items({ count: pushed }),
  });

/** `POST /admin/settings/backups/download`: sends a backup as one tar to an owner whom `proveWithPassword` accepts. */
export async function downloadBackup(http: Http, request: Request, owner: SessionPrincipal) {
  const { stall, sender } = http;
  return handleSentForm(
    request,
    async (form) => {
      const { directory } = stall.config.backup;
      const chosen = form.text('backup');
      const found = listBackups(directory).find(({ name }) => chosen === '' || name === chosen);
      if (found === undefined)
        throw new FieldRefusal('backup', new OfficeRefusal('invalid-request', (r) => r.noBackup));
      await refusedBeside('proof', () => proveWithPassword(stall, owner, proofIn(http, request, form)));
      await stall.store.write.addAuditEntry(auditEntry(owner, stall.now(), 'backup.download', found.name));
      const headers = {
        'Content-Type': 'application/x-tar',
        'Content-Disposition': `attachment; filename="${found.name.replace(/db$/, 'tar')}"`,
        'Cache-Control': 'private, no-store',
      };
      const sending = {
        route: `${PATH}/download`,
        length: Infinity,
        check: () => checkCredential(stall, owner),
        pieces: () => tarBackup(join(directory, found.name)),
      };
      return sender.pieces(request, sending, { headers });
    },
    (end) => showBackupSettings(http, owner, end),
  );
}
