// Connects a payment provider from the office: its key makes the webhook, and products with their payment pages.
import { OfficeRefusal } from '../platform/base/told.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { setBy, variableSetting } from '../platform/config/live-config.ts';
import { keyVariable, readSetupApi, secretVariable, setupVariable } from '../platform/config/sales.ts';
import type { NewSettings } from '../platform/store/settings.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { cannotSetUp, createSetupApi, SETUPS, type SetUpItem } from '../selling/providers/setup.ts';
import { listOffers } from '../selling/offer.ts';
import { eraseOrder, findOrderByKey, giveBackOrder, nameSale } from '../selling/order.ts';
import { openWebhook } from '../selling/sale-event.ts';
import { isSigning, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { findBySlug } from '../catalog/catalog.ts';
import { addressesOf, originProblem } from './sell-check.ts';
import { TEST_DELIVERIES } from './sell-test.ts';
import { findManifest } from './push.ts';
import { openUploaded, rewriteUpload } from './upload.ts';
import { addSale } from '../catalog/manifest.rule.ts';
import type { Stall } from './stall.ts';

const keySetting = (provider: PaymentProvider): string => variableSetting(setupVariable(provider));

export const isConnected = ({ settings }: Pick<Stall, 'settings'>, provider: PaymentProvider): boolean =>
  settings.endingOf(keySetting(provider)) !== null;

/** Opens a provider's API with a key, and says which mode the key is of. Refuses a key that cannot be one. */
function openApi({ config }: Stall, provider: PaymentProvider, key: string) {
  const variable = setupVariable(provider);
  try {
    const api = readSetupApi(provider, { ...config.given, [variable]: key, [`${variable}_FILE`]: undefined });
    return {
      api,
      isTest: SETUPS[provider].isTest(api),
      setup: createSetupApi(provider, api, { again: 'try again' }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw Refusal.invalid(error.message.slice(error.message.indexOf(': ') + 2));
  }
}

/**
 * Tries the key, makes the webhook or finds the one that is there, and stores the key and the webhook's secret. After an
 * interruption it can be called again. Refuses a stall that providers cannot reach, and what the provider refuses, with its
 * reason.
 */
export async function connectProvider(
  stall: Stall,
  by: SessionPrincipal,
  { provider, key }: { readonly provider: PaymentProvider; readonly key: string },
) {
  const unreachable = originProblem(stall.origin());
  if (unreachable !== null) throw Refusal.invalid(unreachable);
  const { isTest, setup } = openApi(stall, provider, key);
  const variable = `${secretVariable(provider)}${isTest ? '_TEST' : ''}`;
  const source = setBy(stall.config, variable);
  if (source !== null) throw new OfficeRefusal('invalid-request', (r) => r.webhookFixed({ source }));
  const value = stall.settings.secret(variableSetting(variable));
  let secret = value;
  const keep = async (made: string): Promise<void> => {
    if (!/^\S{6,}$/.test(made)) throw cannotSetUp(provider, 'it answers without a secret; try again');
    secret = setup.hide(made);
  };
  const make = (): string => Buffer.from(crypto.getRandomValues(new Uint8Array(30))).toString('base64url');
  const { webhook, events } = addressesOf(provider, stall.origin());
  const file = { value, begin: async () => {}, keep, make };
  // A webhook whose secret nobody kept is replaced.
  const byHand = await SETUPS[provider].setUpWebhook(setup, { url: webhook, events }, file, value === null);
  const names = [setupVariable(provider), ...(isTest ? [] : [keyVariable(provider)])];
  const keys = names.map((name) => [variableSetting(name), key] as const);
  const secrets = {
    ...Object.fromEntries(keys),
    ...(secret === null ? {} : { [variableSetting(variable)]: secret }),
  };
  await stall.settings.save(by, `selling.${provider}`, { secrets });
  // With a stored live key, the server itself asks the provider every six hours for sales of which no event came.
  return { done: setup.done, byHand: byHand.filter((step) => !step.includes('orders reconcile')), isTest };
}

/** Returns the settings that disconnect a provider. Its webhook and products there stay. */
export function disconnected(provider: PaymentProvider): NewSettings {
  const secret = secretVariable(provider);
  const names = [setupVariable(provider), keyVariable(provider), secret, `${secret}_TEST`];
  return { secrets: Object.fromEntries(names.map((name) => [variableSetting(name), null])) };
}

/**
 * Makes an item's product, price and payment page at a connected provider, or brings them up to date. Call `finish` once
 * item.yaml names the new product, to end the sale of the old one. Refuses a key of the provider's test mode.
 */
async function makeProduct(
  stall: Stall,
  provider: PaymentProvider,
  manifest: Manifest,
): Promise<SetUpItem & { readonly done: readonly string[] }> {
  const key = stall.settings.secret(keySetting(provider));
  const { slug, unitAmountCents, sell } = manifest;
  if (key === null) throw cannotSetUp(provider, 'it is not connected; connect it at "Settings", "Selling"');
  if (!unitAmountCents) throw new OfficeRefusal('invalid-request', (r) => r.sellNoPrice({ slug }));
  const { isTest, setup } = openApi(stall, provider, key);
  if (isTest)
    throw cannotSetUp(
      provider,
      'its key is of the test mode, which sells nothing; connect a live key for this',
    );
  const returnUrl = addressesOf(provider, stall.origin()).returnUrl ?? '';
  const wanted = { ...manifest, unitAmountCents, ids: sell?.[provider] ?? [], returnUrl, countsCopies: true };
  return { ...(await SETUPS[provider].setUpItem(setup, wanted)), done: setup.done };
}

/**
 * Makes the product of a pushed item at a connected provider, and writes its id and address into the item.yaml. Returns
 * what was done, and what the owner must do by hand. Refuses what `makeProduct` refuses, and an item changed since `hash`.
 */
export async function sellAt(
  stall: Stall,
  by: SessionPrincipal,
  wanted: { readonly slug: string; readonly provider: PaymentProvider; readonly hash: string },
): Promise<readonly string[]> {
  const { slug, provider, hash } = wanted;
  const manifest = findManifest(stall, openUploaded(stall, slug));
  if (manifest === null) throw new OfficeRefusal('invalid-request', (r) => r.sellErrors({ slug }));
  const { id, checkoutUrl, byHand, finish, done } = await makeProduct(stall, provider, manifest);
  const isNew = id !== null && manifest.sell?.[provider].includes(id) !== true;
  const button = manifest.checkoutUrl === null || isNew ? checkoutUrl : null;
  if (isNew || button !== null) {
    const change = (yaml: string): string =>
      addSale(yaml, { bundle: null, provider, id: isNew ? id : null, checkoutUrl: button });
    await rewriteUpload(stall, by, slug, { hash, change });
  }
  await finish?.();
  return [...done, ...byHand.map((step) => `By hand: ${step}`)];
}

/** How long a test sale waits for its mail to go out, in milliseconds. */
const MAIL_PATIENCE = 8_000;

/**
 * Plays a sale from the provider's webhook to the order, the grant and the mail, and takes it back. Returns a sentence for
 * each step. Refuses a provider without a live webhook, and one that sells nothing here.
 */
export async function playSale(stall: Stall, by: SessionPrincipal, provider: PaymentProvider) {
  const name = PROVIDER_NAMES[provider];
  if (!isSigning(provider)) throw new OfficeRefusal('invalid-request', (r) => r.testSaleUnsigned({ name }));
  const [secret] = stall.config.sales.secrets[provider].live;
  if (secret === undefined) throw new OfficeRefusal('invalid-request', (r) => r.testSaleNoKey({ name }));
  const offer = listOffers(stall.catalog()).find((one) => one.provider === provider && one.items.length > 0);
  if (offer === undefined) throw new OfficeRefusal('invalid-request', (r) => r.testSaleNoItem({ name }));
  const priced =
    stall.catalog().bundles.find(({ slug }) => slug === offer.slug) ??
    findBySlug(stall.catalog(), offer.slug)?.manifest;
  const [amount, currency] = [priced?.unitAmountCents ?? 0, priced?.currency ?? 'usd'];
  const sale = { product: offer.product, copies: 1, email: by.email, amount, currency, at: stall.now() };
  const { body, headers, key } = TEST_DELIVERIES[provider](sale, secret);
  const told = new Headers(headers);
  const keep = openWebhook(
    stall,
    provider,
  )({
    body: new TextEncoder().encode(body),
    header: (header) => told.get(header),
  });
  await keep();
  const order = findOrderByKey(stall, provider, key);
  await Promise.race([stall.outbox.settle(), Bun.sleep(MAIL_PATIENCE)]);
  const mails = stall.store.listOrderMails(order.id);
  await giveBackOrder(stall, by, order.id);
  await eraseOrder(stall, by, order.id);
  return [
    `The webhook of ${name} was taken: order ${nameSale(order)} is ${order.state}`,
    order.items.length === 0
      ? 'It opened nothing'
      : `It opens ${order.items.map(({ slug }) => slug).join(', ')}`,
    ...(mails.length === 0
      ? ['It sent no mail']
      : mails.map(({ kind, state }) =>
          state === 'manual'
            ? `The mail “${kind}” is for you to pass on, since no mail server is set`
            : `The mail “${kind}” is ${state}`,
        )),
    'The sale was given back and erased; it counts nowhere',
  ];
}
