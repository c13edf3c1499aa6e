import { isPaymentProvider, PAYMENT_PROVIDERS } from '../../payment-provider.ts';
import { Refusal } from '../../refusal.ts';
import { readSalesConfig } from '../../sales-config.ts';
import { readInstant } from '../../service/instant.ts';
import { reconcile } from '../../service/reconcile.ts';
import { type Command, DONE, FAILED, readUsage, SWITCH, TEXT, textOf, UsageError } from '../command.ts';
import { adminCommand } from './admin-command.ts';

export const orderReconcileCommand: Command = adminCommand({
  name: 'orders reconcile',
  synopsis: '[--since ISO] [--provider PROVIDER] [--dry-run]',
  summary: 'Ask the payment providers for sales that did not arrive; the server does it every six hours',
  examples: ['bookstall orders reconcile --since 2026-11-01 --dry-run'],
  options: { since: TEXT, provider: TEXT, 'dry-run': SWITCH },
  words: [0, 0],
  async run(office, input, terminal) {
    const config = readSalesConfig(terminal.environment, false, (problem) => {
      throw new Refusal('invalid-request', problem);
    });
    const [provider, since] = [textOf(input, 'provider'), textOf(input, 'since')];
    if (provider !== null && !isPaymentProvider(provider))
      throw new UsageError(`Cannot ask "${provider}": give ${PAYMENT_PROVIDERS.join(', ')}`);
    const results = await reconcile(office, config, {
      provider,
      since: since === null ? null : readUsage(() => readInstant(since)),
      isDry: input.flags['dry-run'] === true,
    });
    terminal.list(
      results,
      'No provider can be asked: set the key of its API, as BOOKSTALL_STRIPE_KEY; "bookstall sell check" says more',
    );
    return results.every(({ problem }) => problem === null) ? DONE : FAILED;
  },
});
