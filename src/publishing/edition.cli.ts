import { findEdition, listEditions, rollBackEdition, withdrawEdition } from '../catalog/edition.ts';
import { keptSignature } from '../accounts/items.ts';
import { isError } from './scan.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { PublishReport } from './publication.ts';
import { tellLost } from './need-check.ts';
import { confirm } from '../platform/cli/confirm.ts';
import { iso, command } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand, openAdmin } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { reloadContent } from './reload.cli.ts';
import { settings } from '../platform/cli/settings.ts';
import type { KnownEdition } from '../catalog/edition.rule.ts';

type Act = typeof rollBackEdition | typeof withdrawEdition;

export const editionCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'editions',
    synopsis: 'SLUG',
    summary: 'List the editions of an item',
    about: 'Shows the one served, those kept, and those that are gone or withdrawn.',
    run(admin, input, terminal) {
      const rows = listEditions(admin, input.word).map(show);
      terminal.list(rows, 'No editions yet: only a published or archived item has some');
    },
  }),
  editionCommand('rollback', "Serve a kept edition again, until the item's files change", rollBackEdition),
  editionCommand('withdraw', 'Never serve an edition again, and delete its archive', withdrawEdition),
];

function show(edition: KnownEdition) {
  const { version, digest, state, firstServedAt, size, added, changed, removed } = edition;
  const counts = { size, added, changed, removed };
  const signer = keptSignature(edition)?.key ?? null;
  return { version, state, served: iso(firstServedAt), ...counts, digest: `sha256:${digest}`, signer };
}

function editionCommand(name: string, summary: string, act: Act): AdminCommand<Store> {
  return (open) =>
    command({
      name,
      synopsis: 'SLUG EDITION',
      summary,
      about: 'EDITION is its version, or its digest as "bookstall editions" shows it.',
      flags: {
        ...settings('content', 'data', 'max-files', 'max-bytes'),
        ...(act === withdrawEdition && { '--yes': 'do not ask, also if others need the edition' }),
      },
      async run(input, terminal) {
        const [slug = '', wanted = ''] = input.words;
        const found: { edition?: KnownEdition } = {};
        const report = await reloadContent(open, input, terminal, async (data) => {
          const admin = await openAdmin(open, data);
          try {
            const { digest } = findEdition(admin, slug, wanted);
            const lost = act === withdrawEdition ? tellLost(admin.store, slug, digest) : null;
            if (lost !== null && !input.has('yes'))
              await confirm(terminal, `${lost}. Withdraw it?`, `${lost}, and nothing was withdrawn`);
            found.edition = await act(admin, 'command', { slug, wanted });
          } finally {
            await admin.close();
          }
        });
        if (found.edition === undefined) throw new Error('Nothing was changed');
        const { kind, digest, version } = found.edition;
        if (act === rollBackEdition) refuseOther(report, found.edition);
        const label = version ?? `sha256:${digest}`;
        terminal.result(
          { kind, slug, version, digest: `sha256:${digest}` },
          act === rollBackEdition
            ? `${slug} serves its edition ${label} again, until its files change`
            : `Withdrew the edition ${label} of ${slug}: it is never served again`,
        );
      },
    });
}

function refuseOther({ items }: PublishReport, { kind, slug, digest }: KnownEdition): void {
  const served = items.find((item) => item.kind === kind && item.slug === slug);
  if (served?.digest === digest) return;
  const problem = served?.problems.find(isError);
  throw new Refusal(
    'gone',
    problem === undefined
      ? `Cannot roll "${slug}" back: its files or its editions changed in between; run it again`
      : `Cannot roll "${slug}" back: ${problem.sentence}. ${problem.remedy}`,
  );
}
