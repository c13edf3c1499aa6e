import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { refusePushed } from './pushed.ts';
import type { Config } from '../platform/config/config.ts';
import { keyVariable, type ProviderApi, secretVariable } from '../platform/config/sales.ts';
import type { Environment } from '../platform/config/secret-variable.ts';
import { isShown } from '../catalog/item.rule.ts';
import { addSale } from '../catalog/manifest.rule.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider } from '../words/payment-provider.ts';
import { cannotSetUp, createSetupApi, SETUPS, type SetUpItem } from '../selling/providers/setup.ts';
import { messageOf, Refusal } from '../platform/base/refusal.ts';
import { replaceFile } from '../platform/base/replace-file.ts';
import { asOwner } from '../platform/store/data-directory.ts';
import { readServerState } from '../platform/store/server-note.ts';
import { shellWord } from '../platform/base/text.ts';
import { addressesOf, listPriced, originProblem, type Priced } from './sell-check.ts';

/**
 * A requested setup of a provider. If `slugs` is empty, it is for every published or announced item with a price, and every
 * bundle.
 */
type SetupPlan = Pick<Config, 'content' | 'data' | 'limits'> & {
  readonly provider: PaymentProvider;
  readonly api: ProviderApi;
  readonly slugs: readonly string[];
  readonly origin: string;
  readonly environment: Environment;
  /** Whether to set up the provider's test mode, which leaves item.yaml alone. */
  readonly isTest: boolean;
  readonly isDryRun: boolean;
  readonly isNewSecret: boolean;
};

/**
 * Makes or finds at a provider all that selling needs: first the webhook's secret; then, for each item, its product,
 * item.yaml, and last the end of the old product. So the next run completes an interrupted one. A refusal has the
 * provider's reason; the steps before it stay done.
 */
export async function setUpSelling(plan: SetupPlan) {
  const { provider, api, content, origin, slugs, isTest, isDryRun } = plan;
  const { webhook, events, returnUrl } = addressesOf(provider, origin);
  const acts = SETUPS[provider];
  if (originProblem(origin) !== null)
    throw cannotSetUp(provider, `it cannot reach ${origin}; name a public https address with --base-url`);
  const mode = isTest ? 'live mode; leave out' : 'test mode; add';
  if (acts.isTest(api) !== isTest)
    throw cannotSetUp(provider, `this is a key of its ${mode} --test, which leaves item.yaml alone`);
  for (const slug of slugs) refusePushed(plan.data, slug, 'set up the sale of');
  const all = listPriced(plan).filter(({ isPushed }) => !isPushed);
  const missing = slugs.find((slug) => !all.some((one) => one.slug === slug));
  if (missing !== undefined)
    throw cannotSetUp(provider, `no "${missing}" has a price and no error; run "bookstall check"`);
  const key = keyVariable(provider);
  const countsCopies = Boolean(plan.environment[key] ?? plan.environment[`${key}_FILE`]);
  const setup = createSetupApi(provider, api, { isDryRun });
  const { done, hide } = setup;
  const { secret, next } = await openSecret(plan, hide);
  const byHand = [...(await acts.setUpWebhook(setup, { url: webhook, events }, secret, plan.isNewSecret))];
  const items = [];
  for (const priced of all) {
    const { slug, unitAmountCents, currency, checkoutUrl, file } = priced;
    if (slugs.length > 0 ? !slugs.includes(slug) : !isShown(priced)) continue;
    const ids = isTest ? [] : (priced.sell?.[provider] ?? []);
    if (checkoutUrl !== null && ids.length === 0 && !isTest && slugs.length === 0) {
      byHand.push(`"${slug}" is sold at ${checkoutUrl}, and stays so unless you name it after ${provider}`);
      continue;
    }
    const before = await onDisk(file, () => readFileSync(join(content, file), 'utf8'));
    const found = await acts.setUpItem(setup, { ...priced, ids, returnUrl: returnUrl ?? '', countsCopies });
    if (!isTest && !isDryRun && (await writeSale(plan, priced, found, before))) done.push(`Wrote ${file}`);
    await found.finish?.();
    byHand.push(...found.byHand);
    items.push({ slug, unitAmountCents, currency, id: found.id, checkoutUrl: found.checkoutUrl });
  }
  return { provider, test: isTest, dryRun: isDryRun, webhook, done, items, byHand, next: next(done) };
}

/** Writes the id and the checkout address of a product into item.yaml or stall.yaml. Returns whether anything changed. */
async function writeSale(
  { provider, content }: SetupPlan,
  { kind, slug, file, sell, checkoutUrl }: Priced,
  { id, checkoutUrl: url }: SetUpItem,
  before: string,
): Promise<boolean> {
  const isNew = id !== null && sell?.[provider].includes(id) !== true;
  const button = checkoutUrl === null || isNew ? url : null;
  if (!isNew && button === null) return false;
  if (!/^([\w=-]+|null) (https:\/\/[\x21-\x7e]+|null)$/.test(`${id} ${url}`))
    throw cannotSetUp(provider, 'its answer cannot be written; run the command again');
  const text = addSale(before, {
    bundle: kind === 'bundle' ? slug : null,
    provider,
    id: isNew ? id : null,
    checkoutUrl: button,
  });
  await onDisk(file, async () => {
    const path = realpathSync(join(content, file));
    if (readFileSync(path, 'utf8') !== before)
      throw Refusal.storage(
        `Cannot write ${file}: it changed while this command ran; run the command again, which finds what was made`,
      );
    await replaceFile(path, text, { isSynced: true, mode: statSync(path).mode & 0o777 });
  });
  return true;
}

async function onDisk<T>(file: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw Refusal.storage(
      `Cannot write ${file}: ${messageOf(error)}; make it writable, or room on its disk, and run the command again, which finds what was made`,
    );
  }
}

const SECRETS = PAYMENT_PROVIDERS.map(secretVariable).flatMap((name) => [name, `${name}_TEST`]);

const secretFile = (data: string, variable: string): string =>
  resolve(data, variable.slice('BOOKSTALL_'.length).toLowerCase().replaceAll('_', '-'));

/**
 * Finds the webhook's secret: in its variable, or in the file that `<variable>_FILE` names, or else in one of the data
 * directory. The file may not exist yet.
 */
async function openSecret(
  { environment, data, provider, origin, isTest, isDryRun }: SetupPlan,
  hide: (secret: string) => string,
) {
  const variable = `${secretVariable(provider)}${isTest ? '_TEST' : ''}`;
  const named = environment[`${variable}_FILE`];
  const file = named ? resolve(String(named)) : secretFile(data, variable);
  const safely = <T>(act: () => T | Promise<T>) => onDisk(file, () => asOwner(dirname(file), act));
  const stored = await safely(() => (existsSync(file) ? readFileSync(file, 'utf8').trim() : null));
  const value = environment[variable] ? String(environment[variable]).trim() : stored;
  for (const one of value?.split(',') ?? []) hide(one.trim());
  let isNew = false;
  const write = async (text: string): Promise<void> => {
    hide(text);
    if (isDryRun) return;
    await safely(async () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await replaceFile(file, text, { isSynced: true });
    });
  };
  const keep = async (text: string): Promise<void> => {
    if (!isDryRun && !/^\S{6,}$/.test(text))
      throw cannotSetUp(provider, 'it answers without a secret; run the command again');
    await write(text);
    isNew = true;
  };
  /**
   * Returns what to put before a command so that its server finds a secret's file, such as `BOOKSTALL_…_SECRET_FILE=… `; ''
   * if nothing is needed.
   */
  const assign = (name: string): string => {
    if (name === variable && isNew)
      return `${environment[name] ? `${name}= ` : ''}${name}_FILE=${shellWord(file)} `;
    const kept = secretFile(data, name);
    const isSet = environment[name] || environment[`${name}_FILE`];
    return isSet || Bun.file(kept).size === 0 ? '' : `${name}_FILE=${shellWord(kept)} `;
  };
  const next = (done: readonly string[]): string => {
    // Includes the secrets that earlier runs stored for other providers: without them, the server would sell only by this one.
    const secrets = SECRETS.map(assign).join('');
    const start = `${secrets}bookstall serve --base-url ${origin}`;
    if (isNew && ['running', 'held'].includes(readServerState(data).state))
      return `set ${secrets}where the server has its settings, and restart it`;
    if (isNew) return `start the server: ${start}`;
    return done.some((one) => one.startsWith('Wrote'))
      ? `${start}, or bookstall reindex if it runs${secrets && ' with the secret'}`
      : `${secrets}bookstall sell check${secrets && ' (the server needs the secret too)'}`;
  };
  const make = () => hide(Buffer.from(crypto.getRandomValues(new Uint8Array(30))).toString('base64url'));
  return { secret: { value, begin: () => write(stored ?? ''), keep, make }, next };
}
