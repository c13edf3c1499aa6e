import { readSetting } from '../platform/config/config.ts';
import { readStall } from '../catalog/stall-edition.ts';
import { createCodes, listCodes, revokeCode, stateOfCode } from './code.ts';
import { findNamedOrder } from './order.ts';
import type { StoredCode } from './code.sql.ts';
import { iso, UsageError } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { settings } from '../platform/cli/settings.ts';

export const codeCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'code create',
    synopsis: 'SLUG',
    summary: 'Make codes that open an item or bundle',
    about: 'They are shown only once, and redeemed at /redeem.',
    flags: {
      '--count N': 'how many codes (default 1)',
      '--uses N': 'how many accounts may use each (default 1)',
      '--until ISO': 'when they end, such as 2026-12-01',
      '--order ID|REF': 'an order whose refund takes back what they opened',
      '--note TEXT': 'what they are for',
      ...settings('content'),
    },
    examples: ['bookstall code create field-notes --count 20 --until 2027-01-31 --note "Workshop in May"'],
    async run(office, input, terminal) {
      const slug = input.word;
      const content = readSetting('content', input.flags, terminal.environment);
      const order = input.text('order');
      const made = await createCodes(office, 'command', {
        slug,
        bundles: readStall(content).stall.bundles,
        count: readNumber(input.text('count') ?? '1', 'count'),
        uses: readNumber(input.text('uses') ?? '1', 'uses'),
        until: input.text('until'),
        note: input.text('note') ?? '',
        orderId: order === null ? null : findNamedOrder(office, order).id,
      });
      terminal.err('Keep these codes now: they are not shown again. They are redeemed at /redeem.\n');
      const items = made.items.map((item) => item.slug);
      terminal.result({ codes: made.codes, items, until: iso(made.until) }, made.codes.join('\n'));
    },
  }),
  adminCommand({
    name: 'code list',
    summary: 'List codes, the newest first, and how often each was used',
    run(office, _, terminal) {
      const none = 'No codes yet. Make one: bookstall code create SLUG';
      const now = Date.now();
      terminal.list(
        listCodes(office).map((code) => show(code, now)),
        none,
      );
    },
  }),
  adminCommand({
    name: 'code revoke',
    synopsis: 'ID',
    summary: 'End a code; what it opened stays open',
    examples: ['bookstall code revoke 4'],
    async run(office, input, terminal) {
      const { id, prefix, name } = await revokeCode(office, 'command', readNumber(input.word, 'code'));
      terminal.result({ id, prefix, name }, `Revoked code ${id} (${prefix}…) for ${name}`);
    },
  }),
];

function show(code: StoredCode, now: number) {
  const { id, prefix, name, uses, used, orderId, note, until, createdAt } = code;
  const times = { until: iso(until), created: iso(createdAt) };
  return { id, prefix, name, state: stateOfCode(code, now), used, uses, order: orderId, note, ...times };
}

function readNumber(text: string, name: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(
    `Cannot read "${text.slice(0, 40)}" as the number of ${name}: give a whole number from 1`,
  );
}
