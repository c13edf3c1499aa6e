import { readEmail } from '../../access/email-address.ts';
import { type Config, originOf, readConfig, readSetting, type Settings } from '../../config.ts';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../../payment-provider.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import { secretVariable } from '../../sales-config.ts';
import { listSellings, returnUrlOf } from '../../service/sell-check.ts';
import { findOrderByKey } from '../../service/orders.ts';
import { makeTestDelivery, type TestDelivery } from '../../service/sell-test.ts';
import { readServerState } from '../../store/lock/server-note.ts';
import { type Command, readUsage, TEXT, textOf, UsageError } from '../command.ts';
import { adminCommand } from './admin-command.ts';
import { describeOrder } from './order-row.ts';
import { findOrigin } from './origin.ts';

/** How long the stall may take, in milliseconds. */
const TIMEOUT = 10_000;

export const sellTestCommand: Command = adminCommand({
  name: 'sell test',
  synopsis: 'PROVIDER SLUG --email EMAIL [--content DIR] [--base-url URL]',
  summary: 'Sell an item without money: sign a sale with the live secret and deliver it to the running stall',
  examples: ['bookstall sell test stripe field-notes --email you@example.org'],
  options: { email: TEXT, content: TEXT, 'base-url': TEXT },
  words: [2, 2],
  async run(office, input, terminal) {
    const { flags, words } = input;
    const [provider = '', slug = ''] = words;
    const given = textOf(input, 'email');
    if (given === null) throw new UsageError('Cannot sell to nobody: name the buyer with --email');
    const email = readEmail(given);
    if (!isPaymentProvider(provider) || provider === 'gumroad')
      throw new UsageError(`Cannot test a sale of "${provider}": give stripe, polar or lemonsqueezy`);
    const config = readUsage(() => readConfig(flags, terminal.environment, terminal.isTerminal, false));
    const delivery = makeDelivery(config, provider, slug, email);
    await deliver(delivery, provider, findServer(flags, terminal.environment));
    const order = await findOrderByKey(office, provider, delivery.key);
    const returnUrl = returnUrlOf(provider, findOrigin(flags, terminal), delivery.returnId);
    const { id, ref, state } = describeOrder(order, Date.now());
    terminal.result(
      { ...describeOrder(order, Date.now()), returnUrl },
      `Order ${id} (${ref}) is ${state}.\nThe buyer returns to ${returnUrl}\nTo undo it: bookstall orders refund ${id}, then bookstall orders erase ${id}`,
    );
  },
});

function makeDelivery(config: Config, provider: PaymentProvider, slug: string, email: string): TestDelivery {
  const name = PROVIDER_NAMES[provider];
  const cannot = (reason: string): Refusal =>
    new Refusal('invalid-request', `Cannot test a sale of "${slug}" by ${name}: ${reason}`);
  const selling = listSellings(config.content, config.limits).find((one) => one.slug === slug);
  const product = selling?.sell[provider][0];
  if (selling === undefined || product === undefined)
    throw cannot(
      `nothing with this slug names an id of ${name}; add "sell: {${provider}: [id]}" to its item.yaml`,
    );
  const secret = provider === 'gumroad' ? undefined : config.sales.secrets[provider].live[0];
  if (secret === undefined)
    throw cannot(`${secretVariable(provider)} is not set in this environment; set it as for the server`);
  const { unitAmountCents: amount, currency } = selling;
  const delivery = makeTestDelivery(provider, { product, email, amount, currency, at: Date.now() }, secret);
  if (delivery === null) throw cannot('its sales are not read yet');
  return delivery;
}

/** The address at which this machine's stall listens: what is in front of it has no part in the test. */
function findServer(flags: Settings, environment: Settings): string {
  const server = readServerState(readSetting('data', flags, environment));
  if (server.state !== 'running' || server.note === null)
    throw new Refusal(
      'invalid-request',
      'Cannot deliver a sale: no server runs on this data directory; start it with "bookstall serve"',
    );
  const { settings } = server.note;
  const host = readSetting('host', settings, {});
  return originOf(
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host,
    readSetting('port', settings, {}),
  );
}

async function deliver({ body, headers }: TestDelivery, provider: string, origin: string): Promise<void> {
  const answer = await fetch(`${origin}/webhooks/${provider}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  }).catch((error: unknown) => messageOf(error));
  if (typeof answer !== 'string' && answer.status === 200) return;
  const said = typeof answer === 'string' ? answer : `it answered ${answer.status}`;
  throw new Refusal(
    'invalid-request',
    `Cannot deliver a sale to ${origin}: ${said}; start the server with the same ${secretVariable(provider as PaymentProvider)} and BOOKSTALL_SALES=live`,
  );
}
